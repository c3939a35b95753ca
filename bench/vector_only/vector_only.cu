/* A polynomial of each element in CUDA, one element a thread. */
#include "vector_only.h"

__global__ void polynomial_kernel(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = POLYNOMIAL(x[i]);
}

static void polynomial(int n, const double *x, double *y, bench_timer *t)
{
    double *dx = bench_device(x, n);
    double *dy = bench_device<double>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            polynomial_kernel<<<bench_blocks(n, 256), 256>>>(n, dx, dy);
        bench_wait();
    }
    bench_fetch(y, dy, n);
    CUDA_CHECK(cudaFree(dx));
    CUDA_CHECK(cudaFree(dy));
}
