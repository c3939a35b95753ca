/* c = a b in OpenMP: one directive for both outer loops, or (PARTS) one for each construct. */
#include "matmul.h"

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict c,
                   bench_timer *t)
{
#pragma omp target data map(to: a[:n * n], b[:n * n]) map(from: c[:n * n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#ifdef PARTS
#pragma omp target
#pragma omp teams
#pragma omp distribute parallel for collapse(2)
#else
#pragma omp target teams distribute parallel for collapse(2)
#endif
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    float sum = 0.0f;
                    for (int k = 0; k < n; k++)
                        sum += a[i * n + k] * b[k * n + j];
                    c[i * n + j] = sum;
                }
            }
        }
    }
}
