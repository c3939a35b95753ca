/* A flow through an unstructured mesh in CUDA, one cell a thread. */
#include "kernels_copy.h"

__global__ void copy(double *to, const double *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

__global__ void compute_flux(int n, const int *neighbour, const double *area, const double *values, double *flux)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum[VALUES] = {0.0};
    for (int k = 0; k < SIDES; k++) {
        int other = neighbour[k * n + i];
        if (other >= 0)
            for (int v = 0; v < VALUES; v++)
                sum[v] += area[k * n + i] * (values[v * n + other] - values[v * n + i]);
    }
    for (int v = 0; v < VALUES; v++)
        flux[v * n + i] = sum[v];
}

__global__ void time_step(int n, const double *old, const double *flux, double *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int v = 0; v < VALUES; v++)
        values[v * n + i] = old[v * n + i] + TIME_STEP * flux[v * n + i];
}

static void flow(mesh m, int steps, const double *start, double *values, bench_timer *t)
{
    const int n = m.cells, block = 256;
    const unsigned all = bench_blocks((long)VALUES * n, block), grid = bench_blocks(n, block);
    int *neighbour = bench_device(m.neighbour, (size_t)SIDES * n);
    double *area = bench_device(m.area, (size_t)SIDES * n);
    double *dstart = bench_device(start, (size_t)VALUES * n);
    double *dvalues = bench_device<double>(NULL, (size_t)VALUES * n);
    double *old = bench_device<double>(NULL, (size_t)VALUES * n);
    double *flux = bench_device<double>(NULL, (size_t)VALUES * n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            copy<<<all, block>>>(dvalues, dstart, VALUES * n);
            for (int s = 0; s < steps; s++) {
                copy<<<all, block>>>(old, dvalues, VALUES * n);
                compute_flux<<<grid, block>>>(n, neighbour, area, dvalues, flux);
                time_step<<<grid, block>>>(n, old, flux, dvalues);
            }
        }
        bench_wait();
    }
    bench_fetch(values, dvalues, (size_t)VALUES * n);
    CUDA_CHECK(cudaFree(neighbour));
    CUDA_CHECK(cudaFree(area));
    CUDA_CHECK(cudaFree(dstart));
    CUDA_CHECK(cudaFree(dvalues));
    CUDA_CHECK(cudaFree(old));
    CUDA_CHECK(cudaFree(flux));
}
