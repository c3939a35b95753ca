/* The sum of two matrices in OpenACC. */
#include "matadd.h"

#ifdef COMPRESSED
#ifndef BITS
#define BITS 32
#endif
#define HELD compression(a, b, c)
#else
#define HELD
#endif

static void matadd(int n, const double *restrict a, const double *restrict b, double *restrict c, bench_timer *t)
{
    int count = n * n;
#ifdef COMPRESSED
#ifdef BLOCK
#pragma acc data ccopyin(scheme(block), bits(BITS): a[:count], b[:count]) ccopyout(scheme(block), bits(BITS): c[:count])
#else
#pragma acc data ccopyin(bits(BITS): a[:count:-1:1], b[:count:-1:1]) ccopyout(bits(BITS): c[:count:-2:2])
#endif
#else
#pragma acc data copyin(a[:count], b[:count]) copyout(c[:count])
#endif
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop gang vector HELD async(1)
#pragma omp parallel for
            for (int i = 0; i < count; i++)
                c[i] = a[i] + b[i];
        }
#pragma acc wait
    }
}
