/* Needleman-Wunsch in CUDA: a diagonal of tiles a launch, a tile in the shared memory of a block. */
#include "needle.h"

#define TILE 32

__global__ void diagonal(int n, int d, int first, const int *x, const int *y, int *score)
{
    __shared__ int tile[TILE + 1][TILE + 1];
    int t = threadIdx.x;
    int left = (first + blockIdx.x) * TILE + 1, top = (d - first - (int)blockIdx.x) * TILE + 1;
    int c = left + t;
    for (int r = 0; r <= TILE; r++) {
        if (top - 1 + r <= n && c <= n)
            tile[r][t + 1] = score[(size_t)(top - 1 + r) * (n + 1) + c];
        if (t == 0 && top - 1 + r <= n)
            tile[r][0] = score[(size_t)(top - 1 + r) * (n + 1) + left - 1];
    }
    int letter = c <= n ? y[c - 1] : 0;
    for (int s = 0; s < 2 * TILE - 1; s++) {
        __syncthreads();
        int r = s - t;
        if (r >= 0 && r < TILE && top + r <= n && c <= n) {
            int best = tile[r][t] + (x[top + r - 1] == letter ? MATCH : MISMATCH);
            best = max(best, tile[r][t + 1] - GAP);
            tile[r + 1][t + 1] = max(best, tile[r + 1][t] - GAP);
        }
    }
    __syncthreads();
    for (int r = 1; r <= TILE; r++)
        if (top - 1 + r <= n && c <= n)
            score[(size_t)(top - 1 + r) * (n + 1) + c] = tile[r][t + 1];
}

static void needle(int n, const int *x, const int *y, int *score, bench_timer *t)
{
    int tiles = bench_blocks(n, TILE);
    size_t cells = (size_t)(n + 1) * (n + 1);
    int *dx = bench_device(x, n), *dy = bench_device(y, n), *dscore = bench_device(score, cells);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            for (int d = 0; d < 2 * tiles - 1; d++) {
                int first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
                diagonal<<<last - first + 1, TILE>>>(n, d, first, dx, dy, dscore);
            }
        bench_wait();
    }
    bench_fetch(score, dscore, cells);
    CUDA_CHECK(cudaFree(dx));
    CUDA_CHECK(cudaFree(dy));
    CUDA_CHECK(cudaFree(dscore));
}
