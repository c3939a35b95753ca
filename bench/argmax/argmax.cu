/* The largest element of each row with its place, in CUDA: a block for each row. */
#include "argmax.h"

enum { THREADS = 256 };

/* The larger value, or of equal ones the earlier place. */
__device__ void keep(float &best, int &at, float other, int there)
{
    if (other > best || (other == best && there < at)) {
        best = other;
        at = there;
    }
}

__global__ void argmax_rows(int m, const float *a, float *most, int *place)
{
    __shared__ float values[THREADS / 32];
    __shared__ int places[THREADS / 32];
    const float *row = a + (size_t)blockIdx.x * m;
    float best = -INFINITY;
    int at = m;
    for (int j = threadIdx.x; j < m; j += THREADS)
        if (row[j] > best) {
            best = row[j];
            at = j;
        }
    for (int offset = 16; offset > 0; offset /= 2) {
        float other = __shfl_down_sync(0xffffffff, best, offset);
        int there = __shfl_down_sync(0xffffffff, at, offset);
        keep(best, at, other, there);
    }
    if (threadIdx.x % 32 == 0) {
        values[threadIdx.x / 32] = best;
        places[threadIdx.x / 32] = at;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < THREADS / 32; warp++)
            keep(best, at, values[warp], places[warp]);
        most[blockIdx.x] = best;
        place[blockIdx.x] = at;
    }
}

static void argmax(int n, int m, const float *a, float *most, int *place, bench_timer *t)
{
    float *da = bench_device(a, (size_t)n * m);
    float *values = bench_device<float>(NULL, n);
    int *places = bench_device<int>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            argmax_rows<<<n, THREADS>>>(m, da, values, places);
        bench_wait();
    }
    bench_fetch(most, values, n);
    bench_fetch(place, places, n);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(values));
    CUDA_CHECK(cudaFree(places));
}
