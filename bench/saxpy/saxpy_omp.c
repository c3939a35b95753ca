/* z = a x + y in OpenMP: one directive, or (PARTS) one for each construct. */
#include "saxpy.h"

static void saxpy(int n, float a, const float *restrict x, const float *restrict y,
                  float *restrict z, bench_timer *t)
{
#pragma omp target data map(to: x[:n], y[:n]) map(from: z[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#ifdef PARTS
#pragma omp target
#pragma omp teams
#pragma omp distribute parallel for
#else
#pragma omp target teams distribute parallel for
#endif
            for (int i = 0; i < n; i++)
                z[i] = a * x[i] + y[i];
        }
    }
}
