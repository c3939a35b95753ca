/* Jacobi relaxation in CUDA, one element a thread; the largest change of a block is found in shared
 * memory, that of the grid by an atomic on its bits, which order as the numbers do above zero. */
#include "jacobi.h"
#include "../common/reduce.cuh"

__global__ void relax(int n, const double *a, double *b, unsigned long long *change)
{
    int m = n + 2;
    int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    double mine = 0.0;
    if (i <= n && j <= n) {
        double value = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +
                               a[i * m + j + 1]);
        b[i * m + j] = value;
        mine = fabs(value - a[i * m + j]);
    }
    double largest = bench_block_reduce<bench_max>(mine);
    if (bench_first_of_block())
        atomicMax(change, (unsigned long long)__double_as_longlong(largest));
}

__global__ void copy_interior(int n, double *a, const double *b)
{
    int m = n + 2;
    int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i <= n && j <= n)
        a[i * m + j] = b[i * m + j];
}

__global__ void restart(int count, double *a, const double *start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        a[i] = start[i];
}

static double jacobi(int n, int steps, const double *start, double *a, bench_timer *t)
{
    const int m = n + 2;
    const dim3 block(32, 8);
    const dim3 grid(bench_blocks(n, block.x), bench_blocks(n, block.y));
    double *dstart = bench_device(start, (size_t)m * m);
    double *da = bench_device<double>(NULL, (size_t)m * m);
    double *db = bench_device<double>(NULL, (size_t)m * m);
    double *dchange = bench_device<double>(NULL, 1);
    double change = 0.0;
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            restart<<<bench_blocks(m * m, 256), 256>>>(m * m, da, dstart);
            change = 1.0;
            for (int step = 0; step < steps && change > JACOBI_TOLERANCE; step++) {
                CUDA_CHECK(cudaMemsetAsync(dchange, 0, sizeof *dchange));
                relax<<<grid, block>>>(n, da, db, (unsigned long long *)dchange);
                bench_fetch(&change, dchange, 1);
                copy_interior<<<grid, block>>>(n, da, db);
            }
        }
        bench_wait();
    }
    bench_fetch(a, da, (size_t)m * m);
    CUDA_CHECK(cudaFree(dstart));
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dchange));
    return change;
}
