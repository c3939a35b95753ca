/* Tridiagonal solves along x in CUDA: a warp solves 32 lines side by side, a lane each. Tiles of 32 by 32 elements
 * go through shared memory, so that the warp reads and writes whole cache lines. */
#include "lines.h"

enum { WARP = 32 };

/* Columns `from` .. `from` + 31 of the warp's lines; lane i goes along the row, so accesses are contiguous. */
__device__ void load(double (*tile)[WARP + 1], const double *a, int n, int lines, int from)
{
    int x = from + threadIdx.x;
    for (int line = 0; line < lines; line++)
        if (x < n)
            tile[line][threadIdx.x] = a[(size_t)line * n + x];
}

__device__ void store(double (*tile)[WARP + 1], double *a, int n, int lines, int from)
{
    int x = from + threadIdx.x;
    for (int line = 0; line < lines; line++)
        if (x < n)
            a[(size_t)line * n + x] = tile[line][threadIdx.x];
}

__global__ void solve(int n, const double *diagonal, const double *right, double *factor, double *u)
{
    __shared__ double first[WARP][WARP + 1], second[WARP][WARP + 1];
    const int lines = min(WARP, n * n - (int)blockIdx.x * WARP), lane = threadIdx.x;
    const size_t start = (size_t)blockIdx.x * WARP * n;
    double above = 0.0, before = 0.0, after = 0.0;
    for (int from = 0; from < n; from += WARP) {
        load(first, diagonal + start, n, lines, from);
        load(second, right + start, n, lines, from);
        __syncwarp();
        for (int x = 0; x < min(WARP, n - from); x++) {
            above = 1.0 / (first[lane][x] - above);
            before = (second[lane][x] + before) * above;
            first[lane][x] = above;
            second[lane][x] = before;
        }
        __syncwarp();
        store(first, factor + start, n, lines, from);
        store(second, u + start, n, lines, from);
        __syncwarp();
    }
    for (int from = (n - 1) / WARP * WARP; from >= 0; from -= WARP) {
        load(first, factor + start, n, lines, from);
        load(second, u + start, n, lines, from);
        __syncwarp();
        for (int x = min(WARP, n - from) - 1; x >= 0; x--) {
            after = second[lane][x] + first[lane][x] * after;
            second[lane][x] = after;
        }
        __syncwarp();
        store(second, u + start, n, lines, from);
        __syncwarp();
    }
}

static void lines(int n, const double *diagonal, const double *right, double *u, bench_timer *t)
{
    const size_t elements = (size_t)n * n * n;
    double *ddiagonal = bench_device(diagonal, elements);
    double *dright = bench_device(right, elements);
    double *factor = bench_device<double>(NULL, elements);
    double *du = bench_device<double>(NULL, elements);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            solve<<<bench_blocks((long)n * n, WARP), WARP>>>(n, ddiagonal, dright, factor, du);
        bench_wait();
    }
    bench_fetch(u, du, elements);
    CUDA_CHECK(cudaFree(ddiagonal));
    CUDA_CHECK(cudaFree(dright));
    CUDA_CHECK(cudaFree(factor));
    CUDA_CHECK(cudaFree(du));
}
