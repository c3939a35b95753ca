/* Fast Walsh-Hadamard transforms in OpenACC: a launch a step, or with `fcw` one for all steps within a block. */
#include "walsh.h"

#define BLOCK 1024

static void step(int n, int s, float *x)
{
#pragma acc parallel loop present(x[:n]) async(1)
#pragma omp parallel for
    for (int p = 0; p < n / 2; p++) {
        int i = (p & ~(s - 1)) * 2 + (p & (s - 1));
        float low = x[i], high = x[i + s];
        x[i] = low + high;
        x[i + s] = low - high;
    }
}

static void transform(int n, float *x)
{
    int s = 1;
#ifdef FCW
    int within = n < BLOCK ? n : BLOCK;
#pragma acc parallel loop vector(BLOCK) present(x[:n]) async(1)
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL_WB(x[i:0:0])
        for (int w = 1; w < within; w *= 2)
            x[i] = i & w ? x[i ^ w] - x[i] : x[i] + x[i ^ w];
    }
    s = within;
#endif
    for (; s < n; s *= 2)
        step(n, s, x);
}

static void walsh(int n, const float *restrict a, const float *restrict b, float *restrict c, bench_timer *t)
{
    float *restrict other = bench_alloc(n, sizeof *other);
#pragma acc data copyin(a[:n], b[:n]) copyout(c[:n]) create(other[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop present(a[:n], b[:n], c[:n], other[:n]) async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                c[i] = a[i];
                other[i] = b[i];
            }
            transform(n, c);
            transform(n, other);
#pragma acc parallel loop present(c[:n], other[:n]) async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                c[i] = c[i] * other[i] / n;
            transform(n, c);
        }
#pragma acc wait
    }
    free(other);
}
