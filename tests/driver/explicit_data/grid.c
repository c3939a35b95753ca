/* A program for a CPU's threads, in the style of those that are ported by hand: global arrays, allocations, functions with
 * loops, a time loop that now and then looks at a number, a loop that the host runs in between. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 64

static double weights[N];
static int order[N * N];

static double step(int n, int m, const double *from, double *to)
{
    double change = 0;
    int i, j;
#pragma omp parallel for private(j) reduction(max : change)
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++) {
            double d;
            to[i * m + j] = 0.25 * (from[(i - 1) * m + j] + from[(i + 1) * m + j] + from[i * m + j - 1] + from[i * m + j + 1]);
            d = fabs(to[i * m + j] - from[i * m + j]);
            if (d > change)
                change = d;
        }
    return change;
}

static void smooth(double *values, int rounds)
{
    int k, i;
    for (k = 0; k < rounds; k++) {
#pragma omp parallel for // the threads of the CPU
        for (i = 0; i < N; i++)
            values[i] = values[i] * 0.5 + weights[i];
        values[k] += 1; /* the host's own */
    }
}

int main(void)
{
    int n = N, m = N, k, i;
    double *a = malloc(n * m * sizeof(double)), *b = (double *)calloc(n * m, sizeof *b), *v = malloc(N * sizeof *v);
    double change = 0, sum = 0;
    for (i = 0; i < n * m; i++) {
        a[i] = b[i] = i < m ? 1 : 0;
        order[i] = (i * 7) % (n * m);
    }
    for (i = 0; i < N; i++)
        v[i] = weights[i] = i * 0.125;
    for (k = 0; k < 20; k++) {
        change = step(n, m, a, b);
        change = step(n, m, b, a);
        if (k % 10 == 0)
            printf("%d %.6f\n", k, change);
    }
    smooth(v, 3);
#pragma omp parallel private(i)
    {
#pragma omp for reduction(+ : sum)
        for (i = 0; i < n * m; i++)
            sum += a[order[i]];
#pragma omp single
        printf("%.6f\n", sum);
    }
    for (i = 0; i < N; i += 9)
        printf("%.4f ", v[i]);
    printf("%.6f\n", a[m + 3]);
    free(a);
    free(b);
    free(v);
    return 0;
}
