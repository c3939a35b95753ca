/* A product of matrices that says how long it took by the clock of the C library. */
#include <stdlib.h>
#include <sys/time.h>

static double now(void)
{
    struct timeval day;
    gettimeofday(&day, NULL);
    return day.tv_sec + 1e-6 * day.tv_usec;
}

void fill(int n, double *m)
{
#pragma acc parallel loop present(m[0:n*n])
    for (int i = 0; i < n * n; i++)
        m[i] = i % 7 - 3;
}

double product(int n, const double *a, const double *b, double *c)
{
    double start = now();
#pragma acc parallel loop collapse(2) present(a[0:n*n], b[0:n*n], c[0:n*n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
#ifdef BY_CALLER
    (void)start;
    return 0.0;
#else
    return now() - start;
#endif
}
