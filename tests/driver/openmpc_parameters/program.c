#include <stdio.h>
#include <stdlib.h>

#define N 4096

static double a[64][64], b[64][64];
static float rows[N * 8];

static void scale(double *x, double *y, int n)
{
    int i;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        y[i] = 2 * x[i] + y[i];
}

int main(void)
{
    int i, j, n = N, count = 0;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), sum = 0;
    for (i = 0; i < n; i++)
        x[i] = i, y[i] = 1;
    for (i = 0; i < 64; i++)
        for (j = 0; j < 64; j++)
            a[i][j] = i - j;
    scale(x, y, n);
#pragma omp parallel for collapse(2)
    for (i = 0; i < 64; i++)
        for (j = 0; j < 64; j++)
            b[i][j] = a[i][j] + 1;
#pragma omp parallel for
    for (i = 0; i < n; i++) {
#pragma omp critical
        count += y[i] > 100;
    }
#pragma omp parallel for reduction(+ : sum)
    for (i = 0; i < n; i++)
        sum += y[i];
    for (i = 0; i < n; i++)
        rows[i] = 0;
    printf("%d %g %g %g\n", count, sum, b[3][2], rows[5]);
    free(x);
    free(y);
    return 0;
}
