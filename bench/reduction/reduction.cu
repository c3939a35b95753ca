/* A sum in CUDA: a tree in the shared memory of each block, launch after launch. */
#include "reduction.h"

#define TILE 256

__global__ void sums(int n, const int *from, int *to)
{
    __shared__ int tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    tile[threadIdx.x] = i < n ? from[i] : 0;
    __syncthreads();
    for (int w = TILE / 2; w > 0; w /= 2) {
        if (threadIdx.x < w)
            tile[threadIdx.x] += tile[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        to[blockIdx.x] = tile[0];
}

static int reduction(int n, int *numbers, bench_timer *t)
{
    int *dnumbers = bench_device(numbers, n);
    int *da = bench_device<int>(NULL, bench_blocks(n, TILE)), *db = bench_device<int>(NULL, bench_blocks(n, TILE));
    int sum = 0;
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            int *from = dnumbers, *to = da, *next = db;
            for (int count = n;; count = bench_blocks(count, TILE)) {
                sums<<<bench_blocks(count, TILE), TILE>>>(count, from, to);
                if (count <= TILE)
                    break;
                from = to;
                to = next;
                next = from;
            }
            CUDA_CHECK(cudaMemcpy(&sum, to, sizeof sum, cudaMemcpyDeviceToHost));
        }
        bench_wait();
    }
    CUDA_CHECK(cudaFree(dnumbers));
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    return sum;
}
