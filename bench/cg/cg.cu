/* Conjugate gradients in CUDA, one row or element a thread. */
#include "cg.h"
#include "../common/reduce.cuh"

__global__ void product(int rows, const int *begin, const int *column, const double *value,
                        const double *p, double *q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    double sum = 0.0;
    for (int k = begin[i]; k < begin[i + 1]; k++)
        sum += value[k] * p[column[k]];
    q[i] = sum;
}

__global__ void dot_kernel(int n, const double *x, const double *y, double *result)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = bench_block_reduce<bench_sum>(i < n ? x[i] * y[i] : 0.0);
    if (bench_first_of_block())
        atomicAdd(result, sum);
}

/* y = a x + b y */
__global__ void combine(int n, double a, const double *x, double b, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + b * y[i];
}

__global__ void restart(int n, const double *b, double *x, double *r, double *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = 0.0;
        r[i] = b[i];
        p[i] = b[i];
    }
}

static double dot(int n, const double *x, const double *y, double *device_result)
{
    double sum;
    CUDA_CHECK(cudaMemsetAsync(device_result, 0, sizeof sum));
    dot_kernel<<<bench_blocks(n, BENCH_BLOCK), BENCH_BLOCK>>>(n, x, y, device_result);
    bench_fetch(&sum, device_result, 1);
    return sum;
}

static double cg(matrix a, int steps, const double *b, double *x, bench_timer *t)
{
    const int rows = a.rows;
    const unsigned grid = bench_blocks(rows, BENCH_BLOCK);
    int *begin = bench_device(a.begin, (size_t)rows + 1);
    int *column = bench_device(a.column, a.nonzeros);
    double *value = bench_device(a.value, a.nonzeros);
    double *db = bench_device(b, rows);
    double *dx = bench_device<double>(NULL, rows);
    double *r = bench_device<double>(NULL, rows);
    double *p = bench_device<double>(NULL, rows);
    double *q = bench_device<double>(NULL, rows);
    double *result = bench_device<double>(NULL, 1);
    double rho = 0.0;
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            restart<<<grid, BENCH_BLOCK>>>(rows, db, dx, r, p);
            rho = dot(rows, r, r, result);
            for (int step = 0; step < steps; step++) {
                product<<<grid, BENCH_BLOCK>>>(rows, begin, column, value, p, q);
                double alpha = rho / dot(rows, p, q, result);
                combine<<<grid, BENCH_BLOCK>>>(rows, alpha, p, 1.0, dx);
                combine<<<grid, BENCH_BLOCK>>>(rows, -alpha, q, 1.0, r);
                double next = dot(rows, r, r, result);
                combine<<<grid, BENCH_BLOCK>>>(rows, 1.0, r, next / rho, p);
                rho = next;
            }
        }
        bench_wait();
    }
    bench_fetch(x, dx, rows);
    CUDA_CHECK(cudaFree(begin));
    CUDA_CHECK(cudaFree(column));
    CUDA_CHECK(cudaFree(value));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dx));
    CUDA_CHECK(cudaFree(r));
    CUDA_CHECK(cudaFree(p));
    CUDA_CHECK(cudaFree(q));
    CUDA_CHECK(cudaFree(result));
    return rho;
}
