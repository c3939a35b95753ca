/* Clustering in CUDA, one point a thread. */
#include "kmeans.h"
#include "../common/reduce.cuh"

__global__ void restart(int n, const float *point, float *center, int *member)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        member[i] = -1;
    if (i < CLUSTERS * FEATURES)
        center[i] = point[i % FEATURES * n + i / FEATURES];
}

__global__ void assign(int n, const float *point, const float *center, int *member, int *changed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine_changed = 0;
    if (i < n) {
        int nearest = 0;
        float least = INFINITY, mine[FEATURES];
        for (int f = 0; f < FEATURES; f++)
            mine[f] = point[f * n + i];
        for (int c = 0; c < CLUSTERS; c++) {
            float distance = 0.0f;
            for (int f = 0; f < FEATURES; f++) {
                float d = mine[f] - center[c * FEATURES + f];
                distance += d * d;
            }
            if (distance < least) {
                least = distance;
                nearest = c;
            }
        }
        mine_changed = member[i] != nearest;
        member[i] = nearest;
    }
    mine_changed = bench_block_reduce<bench_sum>(mine_changed);
    if (bench_first_of_block())
        atomicAdd(changed, mine_changed);
}

__global__ void add_up(int n, const float *point, const int *member, double *sum, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int c = member[i];
    atomicAdd(&count[c], 1);
    for (int f = 0; f < FEATURES; f++)
        atomicAdd(&sum[c * FEATURES + f], (double)point[f * n + i]);
}

__global__ void divide(const double *sum, const int *count, float *center)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < CLUSTERS * FEATURES && count[i / FEATURES] > 0)
        center[i] = (float)(sum[i] / count[i / FEATURES]);
}

static int kmeans(int n, int steps, const float *point, float *center, bench_timer *t)
{
    const int values = CLUSTERS * FEATURES;
    const unsigned grid = bench_blocks(n > values ? n : values, BENCH_BLOCK);
    float *dpoint = bench_device(point, (size_t)n * FEATURES);
    float *dcenter = bench_device<float>(NULL, values);
    int *member = bench_device<int>(NULL, n);
    double *sum = bench_device<double>(NULL, values);
    int *count = bench_device<int>(NULL, CLUSTERS);
    int *dchanged = bench_device<int>(NULL, 1);
    int changed = 0;
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            restart<<<grid, BENCH_BLOCK>>>(n, dpoint, dcenter, member);
            for (int step = 0; step < steps; step++) {
                CUDA_CHECK(cudaMemsetAsync(dchanged, 0, sizeof *dchanged));
                assign<<<grid, BENCH_BLOCK>>>(n, dpoint, dcenter, member, dchanged);
                bench_fetch(&changed, dchanged, 1);
                CUDA_CHECK(cudaMemsetAsync(sum, 0, values * sizeof *sum));
                CUDA_CHECK(cudaMemsetAsync(count, 0, CLUSTERS * sizeof *count));
                add_up<<<grid, BENCH_BLOCK>>>(n, dpoint, member, sum, count);
                divide<<<bench_blocks(values, BENCH_BLOCK), BENCH_BLOCK>>>(sum, count, dcenter);
            }
        }
        bench_wait();
    }
    bench_fetch(center, dcenter, values);
    CUDA_CHECK(cudaFree(dpoint));
    CUDA_CHECK(cudaFree(dcenter));
    CUDA_CHECK(cudaFree(member));
    CUDA_CHECK(cudaFree(sum));
    CUDA_CHECK(cudaFree(count));
    CUDA_CHECK(cudaFree(dchanged));
    return changed;
}
