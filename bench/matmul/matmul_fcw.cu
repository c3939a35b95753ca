/* c = a b in CUDA with tiles of both factors in shared memory, one element a thread. */
#ifdef CACHE
#define BENCH_NAME "matmul_cache"
#else
#define BENCH_NAME "matmul_fcw"
#endif
#include "matmul.h"

#define TILE 32

__global__ void __launch_bounds__(TILE * TILE) product(int n, const float *__restrict__ a, const float *__restrict__ b,
                                                       float *__restrict__ c)
{
    __shared__ float of_a[TILE][TILE], of_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.y * TILE + y, j = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int l = 0; l < n; l += TILE) {
        of_a[y][x] = i < n && l + x < n ? a[i * n + l + x] : 0.0f;
        of_b[y][x] = l + y < n && j < n ? b[(l + y) * n + j] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += of_a[y][k] * of_b[k][x];
        __syncthreads();
    }
    if (i < n && j < n)
        c[i * n + j] = sum;
}

static void matmul(int n, const float *a, const float *b, float *c, bench_timer *t)
{
    const dim3 block(TILE, TILE);
    const dim3 grid(bench_blocks(n, TILE), bench_blocks(n, TILE));
    size_t elements = (size_t)n * n;
    float *da = bench_device(a, elements);
    float *db = bench_device(b, elements);
    float *dc = bench_device<float>(NULL, elements);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            product<<<grid, block>>>(n, da, db, dc);
        bench_wait();
    }
    bench_fetch(c, dc, elements);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
