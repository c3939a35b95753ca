/* A vector times a matrix, in CUDA: blocks of 32 columns by 16 rows sum up slices of the matrix, and a second kernel adds these. */
#include "columns.h"

enum { X = 32, Y = 16, BLOCKS = 528 };

__global__ void slices(int n, int m, const float *a, const float *x, float *parts)
{
    __shared__ float sums[Y][X];
    const int j = blockIdx.x * X + threadIdx.x;
    float sum = 0.0f;
    if (j < m)
#pragma unroll 4
        for (int i = blockIdx.y * Y + threadIdx.y; i < n; i += gridDim.y * Y)
            sum += a[(size_t)i * m + j] * x[i];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && j < m) {
        for (int k = 1; k < Y; k++)
            sum += sums[k][threadIdx.x];
        parts[(size_t)blockIdx.y * m + j] = sum;
    }
}

/* A block adds what slices have left of 32 columns. */
__global__ void add(int count, int m, const float *parts, float *y)
{
    __shared__ float sums[Y][X];
    const int j = blockIdx.x * X + threadIdx.x;
    float sum = 0.0f;
    if (j < m)
        for (int k = threadIdx.y; k < count; k += Y)
            sum += parts[(size_t)k * m + j];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && j < m) {
        for (int k = 1; k < Y; k++)
            sum += sums[k][threadIdx.x];
        y[j] = sum;
    }
}

static void columns(int n, int m, const float *a, const float *x, float *y, bench_timer *t)
{
    const int across = (m + X - 1) / X, count = across < BLOCKS ? BLOCKS / across : 1;
    float *da = bench_device(a, (size_t)n * m);
    float *dx = bench_device(x, n);
    float *dy = bench_device<float>(NULL, m);
    float *parts = bench_device<float>(NULL, (size_t)count * m);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            slices<<<dim3(across, count), dim3(X, Y)>>>(n, m, da, dx, parts);
            add<<<across, dim3(X, Y)>>>(count, m, parts, dy);
        }
        bench_wait();
    }
    bench_fetch(y, dy, m);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(dx));
    CUDA_CHECK(cudaFree(dy));
    CUDA_CHECK(cudaFree(parts));
}
