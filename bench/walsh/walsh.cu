/* Fast Walsh-Hadamard transforms in CUDA: steps within a block in shared memory, a launch for each of the others. */
#include "walsh.h"

#define BLOCK 1024

__global__ void within_block(int n, float *x)
{
    __shared__ float tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x, at = threadIdx.x;
    int within = min(n, BLOCK);
    tile[at] = i < n ? x[i] : 0.0f;
    for (int w = 1; w < within; w *= 2) {
        __syncthreads();
        float own = tile[at], other = tile[at ^ w];
        __syncthreads();
        tile[at] = at & w ? other - own : own + other;
    }
    if (i < n)
        x[i] = tile[at];
}

__global__ void step(int n, int s, float *x)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n / 2)
        return;
    int i = (p & ~(s - 1)) * 2 + (p & (s - 1));
    float low = x[i], high = x[i + s];
    x[i] = low + high;
    x[i + s] = low - high;
}

__global__ void begin(int n, const float *a, const float *b, float *c, float *other)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i];
        other[i] = b[i];
    }
}

__global__ void multiply(int n, float *c, const float *other)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = c[i] * other[i] / n;
}

static void transform(int n, float *x)
{
    within_block<<<bench_blocks(n, BLOCK), BLOCK>>>(n, x);
    for (int s = BLOCK; s < n; s *= 2)
        step<<<bench_blocks(n / 2, 256), 256>>>(n, s, x);
}

static void walsh(int n, const float *a, const float *b, float *c, bench_timer *t)
{
    float *da = bench_device(a, n), *db = bench_device(b, n);
    float *dc = bench_device<float>(NULL, n), *dother = bench_device<float>(NULL, n);
    const unsigned grid = bench_blocks(n, 256);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            begin<<<grid, 256>>>(n, da, db, dc, dother);
            transform(n, dc);
            transform(n, dother);
            multiply<<<grid, 256>>>(n, dc, dother);
            transform(n, dc);
        }
        bench_wait();
    }
    bench_fetch(c, dc, n);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
    CUDA_CHECK(cudaFree(dother));
}
