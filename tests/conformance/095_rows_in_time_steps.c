// Time steps on arrays of pointers to rows: copied back each step, and with the arrays of pointers exchanged.
// expect: launches=24 uploads=4 downloads=3
#include <stdlib.h>
#include "check.h"

enum { N = 64 };

static double ra[N][N], rb[N][N];

static void serial(int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                rb[i][j] = 0.25 * (ra[i - 1][j] + ra[i + 1][j] + ra[i][j - 1] + ra[i][j + 1]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                ra[i][j] = rb[i][j];
    }
}

int main(void)
{
    int n = N;
    double **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) {
        a[i] = calloc(n, sizeof(double));
        b[i] = calloc(n, sizeof(double));
        a[i][0] = b[i][0] = ra[i][0] = rb[i][0] = 1;
    }
    serial(10);
#pragma acc data copy(a[0:n][0:n], b[0:n][0:n])
    for (int t = 0; t < 10; t++) {
#pragma acc parallel loop collapse(2) present(a, b)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            check_near("a", i * n + j, a[i][j], ra[i][j], 1e-12);
#pragma acc enter data copyin(a[0:n][0:n], b[0:n][0:n])
    for (int t = 0; t < 4; t++) {
#pragma acc parallel loop collapse(2) present(a[0:n][0:n], b[0:n][0:n])
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i][j] + 1;
        double **other = a;
        a = b;
        b = other;
    }
#pragma acc exit data copyout(a[0:n][0:n]) delete(b[0:n][0:n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            check_near("exchanged", i * n + j, a[i][j], ra[i][j] + 4, 1e-12);
    return finish();
}
