/* Chip temperature in OpenACC: a stencil from one array to another, the two taking turns.
 * -DLEVELS: as ports have it, gangs over rows and workers over a row, without vector lanes. */
#include "hotspot.h"

#ifdef BOTH
#define HELD compression(power) compression(scheme(affine): from, to)
#define HELD_AT_START compression(scheme(affine): from, start)
#elif defined(COMPRESSED)
#define HELD compression(power)
#define HELD_AT_START
#else
#define HELD
#define HELD_AT_START
#endif

static void step(int n, const float *restrict power, const float *restrict from,
                 float *restrict to)
{
#ifdef LEVELS
#pragma acc parallel loop gang present(power[:n * n], from[:n * n], to[:n * n]) async(1)
#else
#pragma acc parallel loop collapse(2) present(power[:n * n], from[:n * n], to[:n * n]) HELD async(1)
#endif
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++) {
#ifdef LEVELS
#pragma acc loop worker
#endif
        for (int j = 0; j < n; j++) {
            int at = i * n + j;
            float here = from[at];
            float up = i > 0 ? from[at - n] : here;
            float down = i < n - 1 ? from[at + n] : here;
            float left = j > 0 ? from[at - 1] : here;
            float right = j < n - 1 ? from[at + 1] : here;
            to[at] = here + STEP * (power[at] + ALONG * (up + down + left + right - 4.0f * here) +
                                    ACROSS * (AMBIENT - here));
        }
    }
}

static void hotspot(int n, int steps, const float *restrict start, const float *restrict power,
                    float *restrict result, bench_timer *t)
{
    float *restrict other = bench_alloc((size_t)n * n, sizeof *other);
#ifdef BOTH
#pragma acc data ccopyin(power[:n * n:0:2]) ccopyin(scheme(affine): start[:n * n:50:400]) \
    ccopyout(scheme(affine): result[:n * n:50:400]) ccreate(scheme(affine): other[:n * n:50:400])
#elif defined(COMPRESSED)
#pragma acc data ccopyin(power[:n * n:0:2]) copyin(start[:n * n]) copyout(result[:n * n]) create(other[:n * n])
#else
#pragma acc data copyin(start[:n * n], power[:n * n]) copyout(result[:n * n]) create(other[:n * n])
#endif
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            /* The last step must end in `result`. */
            float *from = steps % 2 ? other : result, *to = steps % 2 ? result : other;
#pragma acc parallel loop present(from[:n * n]) HELD_AT_START async(1)
#pragma omp parallel for
            for (int i = 0; i < n * n; i++)
                from[i] = start[i];
            for (int s = 0; s < steps; s++) {
                step(n, power, from, to);
                float *swap = from;
                from = to;
                to = swap;
            }
        }
#pragma acc wait
    }
    free(other);
}
