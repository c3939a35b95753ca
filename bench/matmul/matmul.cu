/* c = a b in CUDA, one element a thread, in blocks of 16 by 16. */
#include "matmul.h"
#ifdef COMPRESSED
#include "../common/compressed.cuh"
typedef unsigned short element;
#define VALUE(x) bench_decode(x, scale, bias)
#else
typedef float element;
#define VALUE(x) (x)
#endif

__global__ void matmul_kernel(int n, const element *a, const element *b, float *c, float scale, float bias)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += VALUE(a[i * n + k]) * VALUE(b[k * n + j]);
    c[i * n + j] = sum;
}

static void matmul(int n, const float *a, const float *b, float *c, bench_timer *t)
{
    const dim3 block(16, 16);
    const dim3 grid(bench_blocks(n, block.x), bench_blocks(n, block.y));
    size_t elements = (size_t)n * n;
    float scale = 0, bias = 0;
#ifdef COMPRESSED
    bench_keys keys = bench_range(1.0);
    scale = (float)keys.scale, bias = (float)keys.bias;
    element *da = bench_device_encoded(a, elements, keys);
    element *db = bench_device_encoded(b, elements, keys);
#else
    element *da = bench_device(a, elements);
    element *db = bench_device(b, elements);
#endif
    float *dc = bench_device<float>(NULL, elements);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            matmul_kernel<<<grid, block>>>(n, da, db, dc, scale, bias);
        bench_wait();
    }
    bench_fetch(c, dc, elements);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
