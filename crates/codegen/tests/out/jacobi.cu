#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ double accl_reduce_block_max_double(double value)
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

/* Combines the values of all threads of the grid into *result, the blocks' partial results in order. */
static __device__ void accl_reduce_grid_max_double(double value, double *result,
                                                   volatile double *partials, unsigned *arrivals)
{
    __shared__ bool last;
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    value = accl_reduce_block_max_double(value);
    if (thread == 0) {
        partials[block] = value;
        __threadfence();
        last = atomicInc(arrivals, blocks - 1) == blocks - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    value = -INFINITY;
    for (unsigned i = thread; i < blocks; i += threads)
        value = fmax(value, partials[i]);
    value = accl_reduce_block_max_double(value);
    if (thread == 0)
        *result = fmax(*result, value);
}

/* jacobi: parallel loop */
extern "C" __global__ void __launch_bounds__(128) jacobi_20(int n, int m,
                                                            const double *__restrict__ a,
                                                            double *__restrict__ b,
                                                            double *change_result,
                                                            double *change_partials,
                                                            unsigned *change_arrivals)
{
    double change = -INFINITY;
    int i = 1 + (blockIdx.y * 4 + threadIdx.y);
    int j = 1 + (blockIdx.x * 32 + threadIdx.x);
    if (i <= n && j <= n) {
        b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
    }
    accl_reduce_grid_max_double(change, change_result, change_partials, change_arrivals);
}
