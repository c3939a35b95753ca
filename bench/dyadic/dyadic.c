/* The dyadic convolution by its definition in OpenACC, an element of the result a thread. */
#include "dyadic.h"

#ifdef COMPRESSED
#define HELD compression(a, b)
#else
#define HELD
#endif

static void dyadic(int n, const float *restrict a, const float *restrict b, float *restrict c, bench_timer *t)
{
#ifdef COMPRESSED
#pragma acc data ccopyin(a[:n:0:1], b[:n:0:1]) copyout(c[:n])
#else
#pragma acc data copyin(a[:n], b[:n]) copyout(c[:n])
#endif
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop gang vector HELD async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                float sum = 0.0f;
#pragma acc loop seq
                for (int j = 0; j < n; j++)
                    sum += a[j] * b[i ^ j];
                c[i] = sum;
            }
        }
#pragma acc wait
    }
}
