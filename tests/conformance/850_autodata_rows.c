// Arrays of pointers without data clauses: the rows are resident, and travel where they are stale. A data clause that has some of
// it on the device comes first.
// flags: -gpu=autodata
// expect: launches=23 uploads=6 downloads<=4
#include "check.h"
#include <stdlib.h>

int main(void)
{
    int n = 64, m = 4096;
    float **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b), *all = malloc((size_t)n * m * sizeof *all);
    for (int i = 0; i < n; i++) {
        a[i] = all + i * m;
        for (int j = 0; j < m; j++)
            a[i][j] = i * j % 7;
    }
    b[0] = malloc((size_t)n * m * sizeof **b);
    for (int i = 1; i < n; i++)
        b[i] = b[i - 1] + m;
    for (int i = 0; i < n * m; i++)
        b[0][i] = 1;
    // The two arrays of pointers and what they lead to are sent once.
    for (int step = 0; step < 10; step++) {
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] += a[i][j];
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j] - a[i][j];
    }
    // By its own name.
#pragma acc parallel loop
    for (int i = 0; i < n * m; i++)
        all[i] += 1;
    float want_a = 3 * 5 % 7, want_b = 1;
    for (int step = 0; step < 10; step++) {
        want_b += want_a;
        want_a = want_b - want_a;
    }
    check_near("a", 3, a[3][5], want_a + 1, 0);
    check_near("b", 3, b[3][5], want_b, 0);

    // Rows that a clause put there.
    float *rows[2] = {b[0], b[1]};
#pragma acc data copy(b[0:2][0:m])
    {
#pragma acc parallel loop present(b)
        for (int j = 0; j < m; j++)
            b[1][j] = j;
#pragma acc parallel loop
        for (int j = 0; j < m; j++)
            rows[0][j] = rows[1][j] + 1;
    }
    check_near("clause", 0, b[0][100], 101, 0);
    check_near("clause", 1, b[1][100], 100, 0);
    for (int i = 0; i < n; i++)
        a[i] = NULL;
    free(all);
    free(a);
    free(b[0]);
    free(b);
    return finish();
}
