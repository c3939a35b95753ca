/* The kernels of saxpy.c and the functions that launch them. */
#include "saxpy_kernels.h"

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

/* saxpy.c:10: parallel loop */
__global__ void saxpy_10(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

/* saxpy.c:27: parallel loop */
__global__ void main_27(const float *__restrict__ y, double *sum_result)
{
    double sum = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 1000; i += (int)(gridDim.x * blockDim.x))
        sum += y[i];
    sum = reduce_block_add_double(sum);
    if (threadIdx.x == 0)
        atomicAdd(sum_result, sum);
}

void launch_saxpy_10(int n, float a, const float *x, float *y)
{
    if (n <= 0)
        return;
    saxpy_10<<<(n + 255L) / 256, 256>>>(n, a, (float *)port_device(x), (float *)port_device(y));
    port_launched("saxpy_10");
}

void launch_main_27(const float *y, double *sum)
{
    main_27<<<4, 256>>>((float *)port_device(y), (double *)port_device(sum));
    port_launched("main_27");
}
