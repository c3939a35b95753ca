/* A dense product in CUDA: a block makes a tile of 64 by 64 by way of shared memory, a thread 4 by 4 of it
 * in registers. */
#include "gemm.h"

enum { TILE = 64, DEPTH = 16, EACH = 4, THREADS = TILE / EACH };

/* The tile's part of `a` lies transposed, so that a thread's elements of either factor are neighbours. */
__global__ void product(int n, const element *a, const element *b, const element *start, element *c)
{
    __shared__ element of_a[DEPTH][TILE + EACH], of_b[DEPTH][TILE];
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    const int thread = threadIdx.y * THREADS + threadIdx.x;
    element sum[EACH][EACH] = {{0}};
    for (int depth = 0; depth < n; depth += DEPTH) {
        for (int at = thread; at < TILE * DEPTH; at += THREADS * THREADS) {
            int i = row + at / DEPTH, k = depth + at % DEPTH;
            of_a[at % DEPTH][at / DEPTH] = i < n && k < n ? a[(size_t)i * n + k] : 0;
        }
        for (int at = thread; at < TILE * DEPTH; at += THREADS * THREADS) {
            int k = depth + at / TILE, j = column + at % TILE;
            of_b[at / TILE][at % TILE] = k < n && j < n ? b[(size_t)k * n + j] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            element x[EACH], y[EACH];
            for (int e = 0; e < EACH; e++) {
                x[e] = of_a[k][threadIdx.y * EACH + e];
                y[e] = of_b[k][threadIdx.x * EACH + e];
            }
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            int y = row + threadIdx.y * EACH + i, x = column + threadIdx.x * EACH + j;
            if (y < n && x < n)
                c[(size_t)y * n + x] = BETA * start[(size_t)y * n + x] + ALPHA * sum[i][j];
        }
}

static void gemm(int n, const element *a, const element *b, const element *start, element *c, bench_timer *t)
{
    const size_t elements = (size_t)n * n;
    const dim3 block(THREADS, THREADS), grid(bench_blocks(n, TILE), bench_blocks(n, TILE));
    element *da = bench_device(a, elements);
    element *db = bench_device(b, elements);
    element *dstart = bench_device(start, elements);
    element *dc = bench_device<element>(NULL, elements);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            product<<<grid, block>>>(n, da, db, dstart, dc);
        bench_wait();
    }
    bench_fetch(c, dc, elements);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dstart));
    CUDA_CHECK(cudaFree(dc));
}
