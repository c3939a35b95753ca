/* The matrix Q of a magnetic resonance image in OpenACC. */
#include "omriq.h"

static void omriq(int n, int count, samples s, places p, float *real, float *imaginary, bench_timer *t)
{
    const float *kx = s.kx, *ky = s.ky, *kz = s.kz, *magnitude = s.magnitude;
    const float *x = p.x, *y = p.y, *z = p.z;
#pragma acc data copyin(kx[:count], ky[:count], kz[:count], magnitude[:count], x[:n], y[:n], z[:n]) \
    copyout(real[:n], imaginary[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop
#pragma omp parallel for
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
