/* Copies of doubles in OpenACC: straight, reversed, strided, gathered. */
#include "copy.h"

#ifdef COMPRESSED
#define HELD compression(a, b)
#else
#define HELD
#endif

static void once(int n, int pattern, const double *restrict a, double *restrict b, const int *restrict index)
{
    switch (pattern) {
    case STRAIGHT:
#pragma acc parallel loop gang vector present(a[:n], b[:n]) HELD async(1)
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i] = a[i];
        break;
    case REVERSE:
#pragma acc parallel loop gang vector present(a[:n], b[:n]) HELD async(1)
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i] = a[n - 1 - i];
        break;
    case STRIDED:
#pragma acc parallel loop gang vector present(a[:n], b[:n]) HELD async(1)
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i] = a[(long)i * STRIDE % n];
        break;
    default:
#pragma acc parallel loop gang vector present(a[:n], b[:n], index[:n]) HELD async(1)
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i] = a[index[i]];
    }
}

static void copy(int n, int pattern, const double *restrict a, double *restrict b, const int *restrict index,
                 bench_timer *t)
{
#ifdef COMPRESSED
#pragma acc data ccopyin(a[:n:-100:100]) ccopyout(b[:n:-100:100]) copyin(index[:n])
#else
#pragma acc data copyin(a[:n]) copyout(b[:n]) copyin(index[:n])
#endif
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            once(n, pattern, a, b, index);
#pragma acc wait
    }
}
