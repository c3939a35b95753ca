/* The matrix Q of a magnetic resonance image in CUDA, one place a thread; LDG: by way of the read-only cache. */
#include "omriq.h"

#ifdef LDG
#define READ(array, i) __ldg(&(array)[i])
#else
#define READ(array, i) (array)[i]
#endif

__global__ void sum(int n, int count, samples s, places p, float *real, float *imaginary)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = p.x[i], y = p.y[i], z = p.z[i], re = 0.0f, im = 0.0f;
    for (int k = 0; k < count; k++) {
        float angle = TWO_PI * (READ(s.kx, k) * x + READ(s.ky, k) * y + READ(s.kz, k) * z);
        re += READ(s.magnitude, k) * cosf(angle);
        im += READ(s.magnitude, k) * sinf(angle);
    }
    real[i] = re;
    imaginary[i] = im;
}

static void omriq(int n, int count, samples s, places p, float *real, float *imaginary, bench_timer *t)
{
    const int block = 256;
    samples ds = {bench_device(s.kx, count), bench_device(s.ky, count), bench_device(s.kz, count),
                  bench_device(s.magnitude, count)};
    places dp = {bench_device(p.x, n), bench_device(p.y, n), bench_device(p.z, n)};
    float *re = bench_device<float>(NULL, n), *im = bench_device<float>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            sum<<<bench_blocks(n, block), block>>>(n, count, ds, dp, re, im);
        bench_wait();
    }
    bench_fetch(real, re, n);
    bench_fetch(imaginary, im, n);
    for (const float *a : {ds.kx, ds.ky, ds.kz, ds.magnitude, dp.x, dp.y, dp.z})
        CUDA_CHECK(cudaFree((void *)a));
    CUDA_CHECK(cudaFree(re));
    CUDA_CHECK(cudaFree(im));
}
