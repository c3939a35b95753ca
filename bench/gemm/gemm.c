/* A dense product in OpenACC that adds to an element of c in memory, as most people write it. -DOLD:
 * counters are declared before the loops. */
#include "gemm.h"

static void product(int n, const element *restrict a, const element *restrict b, const element *restrict start,
                    element *restrict c)
{
#ifdef OLD
    int i, j, k;
#pragma acc parallel loop gang present(a[:n * n], b[:n * n], start[:n * n], c[:n * n]) async(1)
#pragma omp parallel for private(j, k)
    for (i = 0; i < n; i++) {
#pragma acc loop vector
        for (j = 0; j < n; j++) {
            c[i * n + j] = BETA * start[i * n + j];
            for (k = 0; k < n; k++)
                c[i * n + j] += ALPHA * a[i * n + k] * b[k * n + j];
        }
    }
#else
#pragma acc parallel loop collapse(2) present(a[:n * n], b[:n * n], start[:n * n], c[:n * n]) async(1)
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = BETA * start[i * n + j];
#pragma acc loop seq
            for (int k = 0; k < n; k++)
                c[i * n + j] += ALPHA * a[i * n + k] * b[k * n + j];
        }
#endif
}

static void gemm(int n, const element *restrict a, const element *restrict b, const element *restrict start,
                 element *restrict c, bench_timer *t)
{
#pragma acc data copyin(a[:n * n], b[:n * n], start[:n * n]) copyout(c[:n * n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            product(n, a, b, start, c);
#pragma acc wait
    }
}
