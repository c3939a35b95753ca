/* c = a b in CUDA, one element a thread, in blocks of 16 by 16. */
#include "matmul.h"

__global__ void matmul_kernel(int n, const float *a, const float *b, float *c)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

static void matmul(int n, const float *a, const float *b, float *c, bench_timer *t)
{
    const dim3 block(16, 16);
    const dim3 grid(bench_blocks(n, block.x), bench_blocks(n, block.y));
    size_t elements = (size_t)n * n;
    float *da = bench_device(a, elements);
    float *db = bench_device(b, elements);
    float *dc = bench_device<float>(NULL, elements);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            matmul_kernel<<<grid, block>>>(n, da, db, dc);
        bench_wait();
    }
    bench_fetch(c, dc, elements);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
