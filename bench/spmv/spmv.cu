/* A sparse product in CUDA: 2 to 32 lanes of a warp for a row, as many as its mean length suggests. */
#include "spmv.h"

template <int LANES>
__global__ void product(int rows, const int *begin, const int *column, const double *value,
                        const double *x, double *y)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    double sum = 0.0;
    if (i < rows)
        for (int k = begin[i] + lane; k < begin[i + 1]; k += LANES)
            sum += value[k] * x[column[k]];
    for (int half = LANES / 2; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, half, LANES);
    if (i < rows && lane == 0)
        y[i] = sum;
}

template <int LANES>
static void launch(matrix a, const int *begin, const int *column, const double *value,
                   const double *x, double *y)
{
    const int block = 256;
    product<LANES><<<bench_blocks((long)a.rows * LANES, block), block>>>(a.rows, begin, column, value, x, y);
}

static void spmv(matrix a, const double *x, double *y, bench_timer *t)
{
    int *begin = bench_device(a.begin, (size_t)a.rows + 1);
    int *column = bench_device(a.column, a.nonzeros);
    double *value = bench_device(a.value, a.nonzeros);
    double *dx = bench_device(x, a.rows);
    double *dy = bench_device<double>(NULL, a.rows);
    const int mean = a.nonzeros / a.rows;
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            if (mean < 4)
                launch<2>(a, begin, column, value, dx, dy);
            else if (mean < 8)
                launch<4>(a, begin, column, value, dx, dy);
            else if (mean < 32)
                launch<8>(a, begin, column, value, dx, dy);
            else if (mean < 64)
                launch<16>(a, begin, column, value, dx, dy);
            else
                launch<32>(a, begin, column, value, dx, dy);
        }
        bench_wait();
    }
    bench_fetch(y, dy, a.rows);
    CUDA_CHECK(cudaFree(begin));
    CUDA_CHECK(cudaFree(column));
    CUDA_CHECK(cudaFree(value));
    CUDA_CHECK(cudaFree(dx));
    CUDA_CHECK(cudaFree(dy));
}
