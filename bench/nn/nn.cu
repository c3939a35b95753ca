/* Nearest neighbours in CUDA, one record a thread. The least distance is found by an atomic on the
 * bits of the float, which order as the numbers do from zero up. */
#include "nn.h"
#include "../common/reduce.cuh"

__global__ void distances(int n, const record *records, float latitude, float longitude,
                          float *away)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float dy = records[i].latitude - latitude;
        float dx = records[i].longitude - longitude;
        away[i] = sqrtf(dx * dx + dy * dy);
    }
}

__global__ void least_distance(int n, const float *away, int *least)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = bench_block_reduce<bench_min>(i < n ? away[i] : INFINITY);
    if (bench_first_of_block())
        atomicMin(least, __float_as_int(mine));
}

__global__ void first_at(int n, const float *away, float least, int *first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = bench_block_reduce<bench_min>(i < n && away[i] == least ? i : n);
    if (bench_first_of_block())
        atomicMin(first, mine);
}

__global__ void strike_out(float *away, int at)
{
    away[at] = INFINITY;
}

static void nearest(int n, const record *records, float latitude, float longitude,
                    int index[NEAREST], float distance[NEAREST], bench_timer *t)
{
    const int block = BENCH_BLOCK;
    const unsigned grid = bench_blocks(n, block);
    const float infinity = INFINITY;
    record *drecords = bench_device(records, n);
    float *away = bench_device<float>(NULL, n);
    float *least = bench_device<float>(NULL, 1);
    int *first = bench_device<int>(NULL, 1);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            distances<<<grid, block>>>(n, drecords, latitude, longitude, away);
            for (int k = 0; k < NEAREST; k++) {
                CUDA_CHECK(cudaMemcpyAsync(least, &infinity, sizeof infinity, cudaMemcpyHostToDevice));
                least_distance<<<grid, block>>>(n, away, (int *)least);
                bench_fetch(&distance[k], least, 1);
                CUDA_CHECK(cudaMemcpyAsync(first, &n, sizeof n, cudaMemcpyHostToDevice));
                first_at<<<grid, block>>>(n, away, distance[k], first);
                bench_fetch(&index[k], first, 1);
                strike_out<<<1, 1>>>(away, index[k]);
            }
        }
        bench_wait();
    }
    CUDA_CHECK(cudaFree(drecords));
    CUDA_CHECK(cudaFree(away));
    CUDA_CHECK(cudaFree(least));
    CUDA_CHECK(cudaFree(first));
}
