#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double jacobi(int n, int steps, double *restrict a, double *restrict b)
{
    const int m = n + 2;
    double change = 1.0;
#pragma acc data copy(a[:m * m]) create(b[:m * m])
    for (int step = 0; step < steps && change > 1e-6; step++) {
        change = 0.0;
#pragma acc parallel loop collapse(2) reduction(max : change)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++) {
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +
                                       a[i * m + j + 1]);
                change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
            }
#pragma acc parallel loop collapse(2) async(1)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                a[i * m + j] = b[i * m + j];
#pragma acc wait(1)
    }
    return change;
}

int main(void)
{
    int n = 62, m = n + 2;
    double *a = calloc(m * m, sizeof *a), *b = calloc(m * m, sizeof *b);
    for (int i = 0; i < m; i++)
        a[i] = 1.0;
    double change = jacobi(n, 50, a, b);
    double middle = a[10 * m + m / 2];
    printf("change %.6f middle %.6f\n", change, middle);
    return fabs(change - 0.004847) > 1e-6 || fabs(middle - 0.046044) > 1e-6;
}
