/* z = a x + y in CUDA, one element a thread. */
#include "saxpy.h"

__global__ void saxpy_kernel(int n, float a, const float *x, const float *y, float *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void saxpy(int n, float a, const float *x, const float *y, float *z, bench_timer *t)
{
    const int block = 256;
    float *dx = bench_device(x, n);
    float *dy = bench_device(y, n);
    float *dz = bench_device<float>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            saxpy_kernel<<<bench_blocks(n, block), block>>>(n, a, dx, dy, dz);
        bench_wait();
    }
    bench_fetch(z, dz, n);
    CUDA_CHECK(cudaFree(dx));
    CUDA_CHECK(cudaFree(dy));
    CUDA_CHECK(cudaFree(dz));
}
