/* Tridiagonal solves along x in CUDA, one line a thread. */
#include "lines.h"

__global__ void solve(int n, const double *diagonal, const double *right, double *factor, double *u)
{
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= n * n)
        return;
    int line = number * n;
    double above = 0.0, before = 0.0, after = 0.0;
    for (int x = 0; x < n; x++) {
        above = 1.0 / (diagonal[line + x] - above);
        before = (right[line + x] + before) * above;
        factor[line + x] = above;
        u[line + x] = before;
    }
    for (int x = n - 1; x >= 0; x--) {
        after = u[line + x] + factor[line + x] * after;
        u[line + x] = after;
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
            solve<<<bench_blocks((long)n * n, 128), 128>>>(n, ddiagonal, dright, factor, du);
        bench_wait();
    }
    bench_fetch(u, du, elements);
    CUDA_CHECK(cudaFree(ddiagonal));
    CUDA_CHECK(cudaFree(dright));
    CUDA_CHECK(cudaFree(factor));
    CUDA_CHECK(cudaFree(du));
}
