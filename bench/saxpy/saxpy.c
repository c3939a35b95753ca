/* z = a x + y in OpenACC. */
#include "saxpy.h"

static void saxpy(int n, float a, const float *restrict x, const float *restrict y,
                  float *restrict z, bench_timer *t)
{
#pragma acc data copyin(x[:n], y[:n]) copyout(z[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop gang vector async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                z[i] = a * x[i] + y[i];
        }
#pragma acc wait
    }
}
