// Loops without a directive in parallel loops: where their neighbouring iterations use neighbouring elements, and those of the loop
// around them do not, they are spread over lanes, too, and several of them have a launch each. Lengths from none to many, arrays
// that overlap, loops whose iterations depend on each other, values that an iteration keeps from one loop to the next, sums.
// expect: launches=16
#include "check.h"
#include <stdlib.h>

/* One loop in a nest of one or two. */
static void scaled(int n, int m, const float *a, float *b)
{
#pragma acc parallel loop copyin(a[0:n * m]) copyout(b[0:n * m])
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            b[j * m + i] = 2 * a[j * m + i];
    for (int j = 0; j < n * m; j++)
        check_near("scaled", j, b[j], 2 * a[j], 0);
}

/* b may be a, one element further: then each row is done in order. */
static void shifted(int n, int m, const double *a, double *b)
{
#pragma acc parallel loop present(a[0:n * m], b[0:n * m])
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m - 1; i++)
            b[j * m + i] = a[j * m + i] + 1;
}

/* Two loops: one with rows, one with columns. */
static void turned(int n, int m, int (*restrict rows)[40], int (*restrict columns)[40], int *restrict last)
{
#pragma acc parallel loop collapse(2) copy(rows[0:n * m], columns[0:n * 40], last[0:n * m])
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < 40; i++)
                rows[k * m + j][i] += k + i;
            for (int i = 38; i >= 1; i -= 1)
                columns[k * 40 + i][j] = rows[k * m + j][i - 1] - rows[k * m + j][i + 1];
        }
    /* What an iteration keeps stays in one launch. */
#pragma acc parallel loop copyin(rows[0:n * m]) copyout(last[0:n * m])
    for (int j = 0; j < n * m; j++) {
        int sum = 0;
        for (int i = 0; i < 40; i++)
            sum += rows[j][i];
        for (int i = 0; i < 40; i++)
            sum -= rows[j][i] / 2;
        last[j] = sum;
    }
}

/* The inner loop carries values, or adds up in the program's order. */
static void in_order(int n, int m, float *restrict a, float *restrict sums)
{
#pragma acc parallel loop copy(a[0:n * m])
    for (int j = 0; j < n; j++)
        for (int i = 1; i < m; i++)
            a[j * m + i] += a[j * m + i - 1];
#pragma acc parallel loop copyin(a[0:n * m]) copyout(sums[0:n])
    for (int j = 0; j < n; j++) {
        sums[j] = 0;
        for (int i = 0; i < m; i++)
            sums[j] += a[j * m + i] * 0.1f;
    }
}

int main(void)
{
    static const int lengths[] = {0, 1, 3, 16, 17, 31, 200, 1001};
    int most = 301 * 1001;
    float *a = malloc(most * sizeof *a), *b = malloc(most * sizeof *b);
    double *x = malloc(most * sizeof *x), *y = malloc(most * sizeof *y);
    for (int i = 0; i < most; i++)
        a[i] = i % 1013;
    for (int l = 0; l < 8; l++)
        scaled(301, lengths[l], a, b);
    scaled(0, 7, a, b);
    scaled(1, 70001, a, b);

    int n = 70, m = 37;
    for (int overlap = 0; overlap < 3; overlap++) {
        for (int i = 0; i < n * m + 2; i++)
            x[i] = y[i] = i % 11;
        double *to = overlap == 0 ? y : overlap == 1 ? x + 1 : x;
        double *want = malloc((n * m + 2) * sizeof *want);
        for (int i = 0; i < n * m + 2; i++)
            want[i] = i % 11;
#pragma acc data copy(x[0:n * m + 2], y[0:n * m])
        {
            shifted(n, m, x, to);
        }
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m - 1; i++) {
                double from = overlap == 0 ? (j * m + i) % 11 : want[j * m + i];
                want[j * m + i + (overlap == 1)] = from + 1;
            }
        for (int i = 0; i < n * m; i++)
            check_near("shifted", overlap * 10000 + i, overlap == 0 ? y[i] : x[i], want[i], 0);
        free(want);
    }

    enum { N = 5, M = 33 };
    static int rows[N * M][40], columns[N * 40][40], last[N * M];
    for (int j = 0; j < N * M; j++)
        for (int i = 0; i < 40; i++)
            rows[j][i] = j * i;
    turned(N, M, rows, columns, last);
    for (int k = 0; k < N; k++)
        for (int j = 0; j < M; j++) {
            int at = k * M + j, sum = 0;
            for (int i = 0; i < 40; i++) {
                check_int("rows", at * 40 + i, rows[at][i], at * i + k + i);
                sum += rows[at][i] - rows[at][i] / 2;
                if (i >= 1 && i <= 38)
                    check_int("columns", at * 40 + i, columns[k * 40 + i][j], rows[at][i - 1] - rows[at][i + 1]);
            }
            check_int("last", at, last[at], sum);
        }

    float *sums = malloc(n * sizeof *sums);
    for (int i = 0; i < n * m; i++)
        a[i] = b[i] = i % 5;
    in_order(n, m, a, sums);
    for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int i = 0; i < m; i++) {
            b[j * m + i] += i > 0 ? b[j * m + i - 1] : 0;
            check_near("carried", j * m + i, a[j * m + i], b[j * m + i], 0);
            sum += b[j * m + i] * 0.1f;
        }
        check_near("sums", j, sums[j], sum, 1e-6);
    }
    return finish();
}
