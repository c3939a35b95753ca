/* The matrix Q of a magnetic resonance image in OpenMP: one directive, or (PARTS) one for each construct. */
#include "omriq.h"

static void omriq(int n, int count, samples s, places p, float *real, float *imaginary, bench_timer *t)
{
    const float *kx = s.kx, *ky = s.ky, *kz = s.kz, *magnitude = s.magnitude;
    const float *x = p.x, *y = p.y, *z = p.z;
#pragma omp target data map(to: kx[:count], ky[:count], kz[:count], magnitude[:count], x[:n], y[:n], z[:n]) \
    map(from: real[:n], imaginary[:n])
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
                float re = 0.0f, im = 0.0f;
                for (int k = 0; k < count; k++) {
                    float angle = TWO_PI * (kx[k] * x[i] + ky[k] * y[i] + kz[k] * z[i]);
                    re += magnitude[k] * cosf(angle);
                    im += magnitude[k] * sinf(angle);
                }
                real[i] = re;
                imaginary[i] = im;
            }
        }
    }
}
