/* The kernels of jacobi.c and the functions that launch them. */
#include "jacobi_kernels.h"

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

static __device__ double mean(double a, double b, double c, double d)
{
    return 0.25 * (a + b + c + d);
}

/* jacobi.c:23: parallel loop */
__global__ void step_23(int n, const double (*old)[66], double (*now)[66], double *change_result)
{
    double change = -INFINITY;
    for (int i = 1 + (blockIdx.y * blockDim.y + threadIdx.y); i < n - 1; i += (int)(gridDim.y * blockDim.y)) {
        int j = 1 + (blockIdx.x * blockDim.x + threadIdx.x);
        if (j < n - 1) {
            now[i][j] = mean(old[i - 1][j], old[i + 1][j], old[i][j - 1], old[i][j + 1]);
            change = fmax(change, fabs(now[i][j] - old[i][j]));
        }
    }
    change = reduce_block_max_double(change);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomic_max_double(change_result, change);
}

void launch_step_23(int n, double (*old)[66], double (*now)[66], double *change)
{
    if (n <= 2)
        return;
    const dim3 grid((n + 61L) / 64, min((n + 1L) / 4, 65535L));
    const dim3 block(64, 4);
    step_23<<<grid, block>>>(n, (double (*)[66])port_device(old), (double (*)[66])port_device(now),
                             (double *)port_device(change));
    port_launched("step_23");
}
