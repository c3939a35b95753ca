/* The kernels of macros.c and the functions that launch them. */
#include "macros_kernels.h"

struct Point {
    float x;
    float y;
    int group;
};

/* Updates *place; gives the value before. */
static __device__ float atomic_max_float(float *place, float value)
{
    volatile unsigned *bits = (volatile unsigned *)place;
    unsigned before = *bits, seen;
    do {
        seen = before;
        const float old = __uint_as_float(seen);
        before = atomicCAS((unsigned *)bits, seen, __float_as_uint(fmaxf(old, value)));
    } while (before != seen);
    return __uint_as_float(before);
}

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ double reduce_block_add_double(double value)
{
    __shared__ double warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const double other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value += other;
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value += warps[warp];
    return value;
}

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ float reduce_block_max_float(float value)
{
    __shared__ float warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const float other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value = fmaxf(value, other);
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value = fmaxf(value, warps[warp]);
    return value;
}

static __device__ double half_(double x)
{
    return x * 0.5 + 1.0;
}

/* macros.c:21: parallel loop */
__global__ void main_21(const Point *__restrict__ points, double *sum_result,
                        float *farthest_result)
{
    double sum = 0.0;
    float farthest = -INFINITY;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 300; i += (int)(gridDim.x * blockDim.x)) {
        float d = points[i].x * points[i].x + points[i].y * points[i].y;
        sum += half_(d);
        farthest = d > farthest ? d : farthest;
    }
    sum = reduce_block_add_double(sum);
    if (threadIdx.x == 0)
        atomicAdd(sum_result, sum);
    farthest = reduce_block_max_float(farthest);
    if (threadIdx.x == 0)
        atomic_max_float(farthest_result, farthest);
}

/* macros.c:27: parallel loop */
__global__ void main_27(int *__restrict__ histogram, const Point *__restrict__ points)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 300) {
        atomicAdd(&histogram[points[i].group & 3], 1);
    }
}

void launch_main_21(const void *points, double *sum, float *farthest)
{
    main_21<<<2, 256>>>((Point *)port_device(points), (double *)port_device(sum),
                        (float *)port_device(farthest));
    port_launched("main_21");
}

void launch_main_27(int *histogram, const void *points)
{
    main_27<<<2, 256>>>((int *)port_device(histogram), (Point *)port_device(points));
    port_launched("main_27");
}
