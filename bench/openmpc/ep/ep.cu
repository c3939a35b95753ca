/* EP in CUDA: a batch a thread, which keeps nothing of its numbers. Sums and counts of a block go to the total by atomic operations. */
#define FRAME_MAIN
#include "ep.h"
#include "../../common/reduce.cuh"

static double *dsums;

__global__ void batches(int nn, double an, double *sums)
{
    __shared__ double rings[NQ];
    if (threadIdx.x < NQ)
        rings[threadIdx.x] = 0;
    __syncthreads();
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    double x = 0, y = 0;
    if (k < nn) {
        double t = S, by = an;
        for (int kk = k; kk > 0; kk >>= 1) {
            if (kk & 1)
                randlc(&t, by);
            randlc(&by, by);
        }
        for (int i = 0; i < NK; i++) {
            double a = 2.0 * randlc(&t, A) - 1.0, b = 2.0 * randlc(&t, A) - 1.0, r = a * a + b * b;
            if (r <= 1.0) {
                double scale = sqrt(-2.0 * log(r) / r), g = a * scale, h = b * scale;
                atomicAdd(&rings[(int)fmax(fabs(g), fabs(h))], 1.0);
                x += g;
                y += h;
            }
        }
    }
    x = bench_block_reduce<bench_sum>(x);
    y = bench_block_reduce<bench_sum>(y);
    __syncthreads();
    if (bench_first_of_block()) {
        atomicAdd(&sums[NQ], x);
        atomicAdd(&sums[NQ + 1], y);
    }
    if (threadIdx.x < NQ)
        atomicAdd(&sums[threadIdx.x], rings[threadIdx.x]);
}

LINKAGE void to_device(void) { room(dsums, NQ + 2); }

LINKAGE void compute(void)
{
    double an = A, sums[NQ + 2];
    for (int i = 0; i < MK + 1; i++)
        randlc(&an, an);
    CUDA_CHECK(cudaMemset(dsums, 0, sizeof sums));
    batches<<<bench_blocks(nn, BENCH_BLOCK), BENCH_BLOCK>>>(nn, an, dsums);
    get(sums, dsums, NQ + 2);
    memcpy(q, sums, sizeof q);
    sx = sums[NQ];
    sy = sums[NQ + 1];
}

LINKAGE void from_device(void) {}
