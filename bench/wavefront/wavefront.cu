/* Sweeps through a block in CUDA: a launch for each plane i + j + k, one row (k, j) a thread. */
#include "wavefront.h"

__global__ void relax_kernel(int n, int plane, int from, int first, int last, double *v)
{
    int k = first + blockIdx.y * blockDim.y + threadIdx.y;
    int j = first + blockIdx.x * blockDim.x + threadIdx.x;
    int i = plane - k - j;
    if (k > last || j > last || i < 1 || i > n - 2)
        return;
    int at = (k * n + j) * n + i;
    v[at] = OWN * v[at] + SHARE * (v[at - from] + v[at - from * n] + v[at - from * n * n]);
}

static void relax(int n, int plane, int from, double *v)
{
    const dim3 block(32, 4);
    int first = plane - 2 * (n - 2) > 1 ? plane - 2 * (n - 2) : 1;
    int last = plane - 2 < n - 2 ? plane - 2 : n - 2;
    int length = last - first + 1;
    dim3 grid(bench_blocks(length, block.x), bench_blocks(length, block.y));
    relax_kernel<<<grid, block>>>(n, plane, from, first, last, v);
}

__global__ void restart(int elements, double *v, const double *start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements)
        v[i] = start[i];
}

static void wavefront(int n, int sweeps, const double *start, double *v, bench_timer *t)
{
    const int elements = n * n * n;
    double *dstart = bench_device(start, elements);
    double *dv = bench_device<double>(NULL, elements);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            restart<<<bench_blocks(elements, 256), 256>>>(elements, dv, dstart);
            for (int s = 0; s < sweeps; s++) {
                for (int plane = 3; plane <= 3 * (n - 2); plane++)
                    relax(n, plane, 1, dv);
                for (int plane = 3 * (n - 2); plane >= 3; plane--)
                    relax(n, plane, -1, dv);
            }
        }
        bench_wait();
    }
    bench_fetch(v, dv, elements);
    CUDA_CHECK(cudaFree(dstart));
    CUDA_CHECK(cudaFree(dv));
}
