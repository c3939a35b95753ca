/* NAS EP in CUDA, one batch a thread. The scratch arrays are transposed by hand: neighbouring threads use neighbours. */
#include "ep.h"
#include "../common/reduce.cuh"

__global__ void clear(double *sums)
{
    sums[threadIdx.x] = 0.0;
}

__global__ void pairs(int batches, int block, double *numbers, double *own)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= batches)
        return;
    for (int l = 0; l < SUMS; l++)
        own[l * batches + k] = 0.0;
    unsigned long long state = state_before(((unsigned long long)block * batches + k) * 2 * PAIRS);
    for (int i = 0; i < 2 * PAIRS; i++) {
        state = state * MULTIPLIER & MASK;
        numbers[i * batches + k] = (double)state * 0x1p-46;
    }
    double sum_x = 0.0, sum_y = 0.0;
    for (int i = 0; i < PAIRS; i++) {
        double x = 2.0 * numbers[2 * i * batches + k] - 1.0;
        double y = 2.0 * numbers[(2 * i + 1) * batches + k] - 1.0;
        double square = x * x + y * y;
        if (square <= 1.0) {
            double factor = sqrt(-2.0 * log(square) / square);
            x *= factor;
            y *= factor;
            own[(int)fmax(fabs(x), fabs(y)) * batches + k] += 1.0;
            sum_x += x;
            sum_y += y;
        }
    }
    own[BINS * batches + k] = sum_x;
    own[(BINS + 1) * batches + k] = sum_y;
}

/* A block for each sum. */
__global__ void add_up(int batches, const double *own, double *sums)
{
    double sum = 0.0;
    for (int k = threadIdx.x; k < batches; k += blockDim.x)
        sum += own[blockIdx.x * batches + k];
    sum = bench_block_reduce<bench_sum>(sum);
    if (bench_first_of_block())
        sums[blockIdx.x] += sum;
}

static void ep(int batches, int blocks, double *sums, bench_timer *t)
{
    double *numbers = bench_device<double>(NULL, (size_t)batches * 2 * PAIRS);
    double *own = bench_device<double>(NULL, (size_t)batches * SUMS);
    double *dsums = bench_device<double>(NULL, SUMS);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            clear<<<1, SUMS>>>(dsums);
            for (int block = 0; block < blocks; block++) {
                pairs<<<bench_blocks(batches, BENCH_BLOCK), BENCH_BLOCK>>>(batches, block, numbers, own);
                add_up<<<SUMS, BENCH_BLOCK>>>(batches, own, dsums);
            }
        }
        bench_wait();
    }
    bench_fetch(sums, dsums, SUMS);
    CUDA_CHECK(cudaFree(numbers));
    CUDA_CHECK(cudaFree(own));
    CUDA_CHECK(cudaFree(dsums));
}
