/* c = a b in OpenACC: both outer loops parallel, the inner product sequential in a thread. */
#include "matmul.h"

#ifdef COMPRESSED
#define HELD compression(a, b)
#else
#define HELD
#endif

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict c,
                   bench_timer *t)
{
#ifdef COMPRESSED
#pragma acc data ccopyin(a[:n * n:0:1], b[:n * n:0:1]) copyout(c[:n * n])
#else
#pragma acc data copyin(a[:n * n], b[:n * n]) copyout(c[:n * n])
#endif
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#ifdef FOR_LANES
#pragma acc parallel loop collapse(2) gang async(1)
#else
#pragma acc parallel loop collapse(2) gang vector HELD async(1)
#endif
#pragma omp parallel for collapse(2)
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    float sum = 0.0f;
#ifdef FOR_LANES
#pragma acc loop vector reduction(+ : sum)
#else
#pragma acc loop seq
#endif
                    for (int k = 0; k < n; k++)
                        sum += a[i * n + k] * b[k * n + j];
                    c[i * n + j] = sum;
                }
            }
        }
#pragma acc wait
    }
}
