/* The product of two vectors, element by element, in OpenACC. */
#include "vecmul.h"

#ifdef COMPRESSED
#ifndef BITS
#define BITS 16
#endif
#define HELD compression(a, b, c)
#else
#define HELD
#endif

static void vecmul(int n, const float *restrict a, const float *restrict b, float *restrict c, bench_timer *t)
{
#ifdef COMPRESSED
#ifdef BLOCK
#pragma acc data ccopyin(scheme(block), bits(BITS): a[:n], b[:n]) ccopyout(scheme(block), bits(BITS): c[:n])
#else
#pragma acc data ccopyin(bits(BITS): a[:n:-LIMIT:LIMIT], b[:n:-LIMIT:LIMIT]) \
    ccopyout(bits(BITS): c[:n:-LIMIT * LIMIT:LIMIT * LIMIT])
#endif
#else
#pragma acc data copyin(a[:n], b[:n]) copyout(c[:n])
#endif
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop gang vector HELD async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                c[i] = a[i] * b[i];
        }
#pragma acc wait
    }
}
