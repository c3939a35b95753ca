/* The kernels of steps.c and the functions that launch them. */
#include "steps_kernels.h"

/* Updates *place; gives the value before. */
static __device__ double atomic_max_double(double *place, double value)
{
    volatile unsigned long long *bits = (volatile unsigned long long *)place;
    unsigned long long before = *bits, seen;
    do {
        seen = before;
        const double old = __longlong_as_double(seen);
        before = atomicCAS((unsigned long long *)bits, seen, __double_as_longlong(fmax(old, value)));
    } while (before != seen);
    return __longlong_as_double(before);
}

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ double reduce_block_max_double(double value)
{
    __shared__ double warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const double other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value = fmax(value, other);
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value = fmax(value, warps[warp]);
    return value;
}

/* steps.c:22: kernels */
__global__ void steps_22(const double (*__restrict__ now)[40], double (*__restrict__ next)[40])
{
    for (int i = 1 + (blockIdx.y * blockDim.y + threadIdx.y); i < 40 - 1; i += (int)(gridDim.y * blockDim.y)) {
        int j = 1 + (blockIdx.x * blockDim.x + threadIdx.x);
        if (j < 40 - 1)
            next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
    }
}

/* steps.c:26: kernels */
__global__ void steps_26(const double (*__restrict__ next)[40], double (*__restrict__ now)[40],
                         double *largest_result)
{
    double largest = -INFINITY;
    for (int i = 1 + (blockIdx.y * blockDim.y + threadIdx.y); i < 40 - 1; i += (int)(gridDim.y * blockDim.y)) {
        int j = 1 + (blockIdx.x * blockDim.x + threadIdx.x);
        if (j < 40 - 1) {
            double change = next[i][j] - now[i][j];
            largest = change > largest ? change : largest;
            now[i][j] = next[i][j];
        }
    }
    largest = reduce_block_max_double(largest);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomic_max_double(largest_result, largest);
}

/* steps.c:41: parallel loop */
__global__ void macros_41(double *__restrict__ heat)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 40)
        heat[i] = i;
}

/* steps.c:44: parallel loop */
__global__ void macros_44(double (*__restrict__ now)[40])
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 40) {
        int j = blockIdx.x * blockDim.x + threadIdx.x;
        if (j < 40) {
            now[i][j] = i * j % 7;
            if (j == 0)
                now[i][j] = 9.0;
        }
    }
}

/* steps.c:51: parallel */
__global__ void macros_51(double *__restrict__ heat)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 40)
        heat[i] += 1.0;
}

void launch_steps_22(double (*now)[40], double (*next)[40])
{
    const dim3 grid(1, 10);
    const dim3 block(64, 4);
    steps_22<<<grid, block>>>((double (*)[40])port_device(now), (double (*)[40])port_device(next));
    port_launched("steps_22");
}

void launch_steps_26(double (*next)[40], double (*now)[40], double *largest)
{
    const dim3 grid(1, 10);
    const dim3 block(64, 4);
    steps_26<<<grid, block>>>((double (*)[40])port_device(next), (double (*)[40])port_device(now),
                              (double *)port_device(largest));
    port_launched("steps_26");
}

void launch_macros_41(double *heat)
{
    macros_41<<<1, 256>>>((double *)port_device(heat));
    port_launched("macros_41");
}

void launch_macros_44(double (*now)[40])
{
    const dim3 grid(1, 10);
    const dim3 block(64, 4);
    macros_44<<<grid, block>>>((double (*)[40])port_device(now));
    port_launched("macros_44");
}

void launch_macros_51(double *heat)
{
    macros_51<<<1, 256>>>((double *)port_device(heat));
    port_launched("macros_51");
}
