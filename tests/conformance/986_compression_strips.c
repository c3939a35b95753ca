// Packed elements accessed one after the other, in the ways that loops do: the cpu device decodes and encodes many at once.
// flags: --no-check
#include "check.h"
#include <stdlib.h>

enum { N = 3001, ROWS = 37, COLUMNS = 301 };

static double value(int i)
{
    return (i * 37 % 1000) / 500.0 - 1;
}

int main(void)
{
    float *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    double *c = malloc(N * sizeof *c), *wc = malloc(N * sizeof *wc);
    for (int i = 0; i < N; i++) {
        a[i] = value(i);
        c[i] = wc[i] = value(i + 13) / 2;
    }
    for (int i = 3; i < N - 5; i++)
        wc[i] += 0.25;
    for (int i = 0; i < N; i++)
        if (a[i] > 0.501f)
            wc[i] = -1;
    /* Neighbours, with the ends apart; an update in place; a store that a condition guards. */
#pragma acc data ccopyin(bits(12): a[0:N:-1:1]) ccopyout(bits(11): b[0:N:-4:4]) ccopy(bits(40): c[0:N:-2:2])
    {
#pragma acc parallel loop compression(bits(12): a) compression(bits(11): b)
        for (int i = 0; i < N; i++)
            b[i] = (i > 0 ? a[i - 1] : 0) + 0.5f * a[i] + (i < N - 1 ? a[i + 1] : 0);
#pragma acc parallel loop compression(bits(40): c)
        for (int i = 3; i < N - 5; i++)
            c[i] += 0.25;
#pragma acc parallel loop compression(bits(12): a) compression(bits(40): c)
        for (int i = 0; i < N; i++) {
            if (a[i] > 0.501f)
                c[i] = -1;
        }
    }
    for (int i = 0; i < N; i++) {
        check_near("neighbours", i, b[i], (i > 0 ? a[i - 1] : 0) + 0.5f * a[i] + (i < N - 1 ? a[i + 1] : 0), 1e-2);
        check_near("updated", i, c[i], wc[i], 1e-9);
    }

    /* Sections that begin within a group, and within a word. */
    float *from = malloc(N * sizeof *from), *to = malloc(N * sizeof *to);
    for (int i = 0; i < N; i++)
        from[i] = value(i + 5), to[i] = 9;
#pragma acc data ccopyin(bits(13): from[5:N - 5:-1:1]) ccopyout(bits(19): to[3:N - 9:-2:2])
    {
#pragma acc parallel loop compression(bits(13): from) compression(bits(19): to)
        for (int i = 3; i < N - 6; i++)
            to[i] = from[i + 4] - from[i + 2];
    }
    for (int i = 0; i < N; i++)
        check_near("sections", i, to[i], i < 3 || i >= N - 6 ? 9 : from[i + 4] - from[i + 2], 2e-3);

    /* Rows, gangs with vectors, sums over all and over rows. */
    static double x[ROWS][COLUMNS], y[ROWS][COLUMNS];
    static float sums[ROWS];
    double total = 0, wanted = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            wanted += x[i][j] = value(i * 31 + j);
#pragma acc data ccopyin(bits(24): x[0:ROWS][0:COLUMNS:-1:1]) ccopyout(bits(20): y[0:ROWS][0:COLUMNS:-2:2]) copyout(sums)
    {
#pragma acc parallel loop collapse(2) compression(bits(24): x) compression(bits(20): y)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                y[i][j] = x[i][j] + (j > 0 ? x[i][j - 1] : 0);
#pragma acc parallel loop reduction(+:total) collapse(2) compression(bits(24): x)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                total += x[i][j];
#pragma acc parallel loop gang compression(bits(24): x)
        for (int i = 0; i < ROWS; i++) {
            double sum = 0;
#pragma acc loop seq
            for (int j = 1; j <= COLUMNS - 1; j++)
                sum += x[i][j];
            sums[i] = sum;
        }
    }
    check_near("total", 0, total, wanted, 1e-4);
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int j = 0; j < COLUMNS; j++) {
            sum += j > 0 ? x[i][j] : 0;
            check_near("rows", i * COLUMNS + j, y[i][j], x[i][j] + (j > 0 ? x[i][j - 1] : 0), 1e-4);
        }
        check_near("sums", i, sums[i], sum, 1e-4);
    }
    free(a);
    free(b);
    free(c);
    free(wc);
    free(from);
    free(to);
    return finish();
}
