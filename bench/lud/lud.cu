/* Factors in CUDA, one element a thread, two launches a column. */
#include "lud.h"

__global__ void restart(int count, const float *original, float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        a[i] = original[i];
}

__global__ void scale_column(int n, int k, float *a)
{
    int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i * n + k] /= a[k * n + k];
}

__global__ void update_square(int n, int k, float *a)
{
    int i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < n)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

static void lud(int n, const float *original, float *a, bench_timer *t)
{
    const dim3 block(32, 8);
    float *doriginal = bench_device(original, (size_t)n * n);
    float *da = bench_device<float>(NULL, (size_t)n * n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            restart<<<bench_blocks(n * n, 256), 256>>>(n * n, doriginal, da);
            for (int k = 0; k < n - 1; k++) {
                int left = n - k - 1;
                dim3 grid(bench_blocks(left, block.x), bench_blocks(left, block.y));
                scale_column<<<bench_blocks(left, 256), 256>>>(n, k, da);
                update_square<<<grid, block>>>(n, k, da);
            }
        }
        bench_wait();
    }
    bench_fetch(a, da, (size_t)n * n);
    CUDA_CHECK(cudaFree(doriginal));
    CUDA_CHECK(cudaFree(da));
}
