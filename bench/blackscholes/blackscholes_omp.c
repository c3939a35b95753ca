/* Options in OpenMP: a declared function, with mathematics in float. */
#include "blackscholes.h"

/* The normal distribution from minus infinity to d: a polynomial in 1 / (1 + k |d|). */
#pragma omp declare target
static inline float cumulative(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
                  k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0.0f ? 1.0f - tail : tail;
}
#pragma omp end declare target

static void blackscholes(int n, const float *restrict price, const float *restrict strike,
                         const float *restrict years, float *restrict call, float *restrict put,
                         bench_timer *t)
{
#pragma omp target data map(to: price[:n], strike[:n], years[:n]) map(from: call[:n], put[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#ifdef PARTS
#pragma omp target
#pragma omp teams
#pragma omp distribute parallel for
#else
#pragma omp target teams distribute parallel for
#endif
            for (int i = 0; i < n; i++) {
                float s = price[i], x = strike[i], y = years[i];
                float root = VOLATILITY * sqrtf(y);
                float d1 = (logf(s / x) + (RISK_FREE + 0.5f * VOLATILITY * VOLATILITY) * y) / root;
                float n1 = cumulative(d1), n2 = cumulative(d1 - root);
                float discounted = x * expf(-RISK_FREE * y);
                call[i] = s * n1 - discounted * n2;
                put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
            }
        }
    }
}
