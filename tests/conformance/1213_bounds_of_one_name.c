// Bounds of data clauses that are called as variables of other blocks of the function: rows of arrays of pointers are found, and
// nothing is asked for where a clause around the construct names the array.
// expect: launches=5
#include "check.h"
#include <stdlib.h>

static double **grid(int n, int m)
{
    double **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        rows[i] = malloc(m * sizeof **rows);
        for (int j = 0; j < m; j++)
            rows[i][j] = i + 0.5 * j;
    }
    return rows;
}

int main()
{
    {
        int n = 90;
        float *x = malloc(n * sizeof *x);
#pragma acc parallel loop copyout(x[0 : n])
        for (int i = 0; i < n; i++)
            x[i] = i;
        check_near("x", 89, x[89], 89, 0);
    }
    {
        int n = 20, m = 16;
        double **g = grid(n, m), **w = grid(n, m);
#pragma acc data copy(g[0 : n][0 : m]) create(w[0 : n][0 : m])
        for (int t = 0; t < 1; t++) {
#pragma acc kernels loop independent collapse(2)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    w[i][j] = g[i - 1][j] + g[i + 1][j];
#pragma acc parallel loop
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    g[i][j] = w[i][j];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int inner = i > 0 && i < n - 1 && j > 0 && j < m - 1;
                check_near("g", i * m + j, g[i][j], inner ? 2 * i + j : i + 0.5 * j, 0);
            }
    }
    {
        int n = 30, *at = malloc(n * sizeof *at);
        double *x = malloc(n * sizeof *x), s = 0, t = 0;
        for (int i = 0; i < n; i++) {
            at[i] = n - 1 - i;
            x[i] = i;
        }
#pragma acc data copyin(x[0 : n], at[0 : n])
        {
            for (int i = 0; i < n; i++)
                x[i] = -1; /* what is on the device stays */
#pragma acc parallel loop reduction(+ : s)
            for (int i = 0; i < 10; i++)
                s += x[at[i]];
            {
                int n = 4;
#pragma acc parallel loop reduction(+ : t)
                for (int i = 0; i < n; i++)
                    t += x[at[i] / n];
            }
        }
        check_near("s", 0, s, 245, 0);
        check_near("t", 0, t, 7 + 7 + 6 + 6, 0);
    }
    return finish();
}
