/* A weighted sum around each pixel in CUDA: a tile of the image in shared memory, weights in constant memory. */
#include "blur.h"

#define COLUMNS 32
#define ROWS 8

__constant__ float constant_weights[SIDE * SIDE];

__global__ void blur_kernel(int n, const float *a, float *b)
{
    __shared__ float tile[ROWS + 2 * REACH][COLUMNS + 2 * REACH];
    int i0 = blockIdx.y * ROWS, j0 = blockIdx.x * COLUMNS;
    for (int y = threadIdx.y; y < ROWS + 2 * REACH; y += ROWS)
        for (int x = threadIdx.x; x < COLUMNS + 2 * REACH; x += COLUMNS)
            if (i0 + y < n && j0 + x < n)
                tile[y][x] = a[(i0 + y) * n + j0 + x];
    __syncthreads();
    int i = i0 + threadIdx.y + REACH, j = j0 + threadIdx.x + REACH;
    if (i >= n - REACH || j >= n - REACH)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int y = 0; y < SIDE; y++)
#pragma unroll
        for (int x = 0; x < SIDE; x++)
            sum += constant_weights[y * SIDE + x] * tile[threadIdx.y + y][threadIdx.x + x];
    b[i * n + j] = sum;
}

static void blur(int n, const float *a, const float *weights, float *b, bench_timer *t)
{
    const dim3 block(COLUMNS, ROWS);
    const dim3 grid(bench_blocks(n - 2 * REACH, COLUMNS), bench_blocks(n - 2 * REACH, ROWS));
    size_t count = (size_t)n * n;
    float *da = bench_device(a, count);
    float *db = bench_device((const float *)b, count);
    CUDA_CHECK(cudaMemcpyToSymbol(constant_weights, weights, sizeof(float) * SIDE * SIDE));
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            blur_kernel<<<grid, block>>>(n, da, db);
        bench_wait();
    }
    bench_fetch(b, db, count);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
}
