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

/* Counts an arrival, from `most` to 0; gives how many came before. What these blocks stored before is seen from here on. */
static __device__ unsigned accl_arrive(unsigned *arrivals, unsigned most)
{
    unsigned before;
#if __CUDA_ARCH__ >= 700
    asm volatile("atom.acq_rel.gpu.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(arrivals), "r"(most) : "memory");
#else
    __threadfence();
    before = atomicInc(arrivals, most);
    __threadfence();
#endif
    return before;
}

/* Combines the values of a block's threads into the block's place among the partial results. */
static __device__ void accl_reduce_partial_max_double(double value, volatile double *partials)
{
    value = accl_reduce_block_max_double(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void accl_reduce_total_max_double(double *result, volatile double *partials)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    double value = -INFINITY;
    for (unsigned i = thread; i < blocks; i += threads)
        value = fmax(value, partials[i]);
    value = accl_reduce_block_max_double(value);
    if (thread == 0)
        *result = fmax(*result, value);
}

/* True in the block that arrives last, which then sees what the others have stored. */
static __device__ bool accl_is_last_block(unsigned *arrivals)
{
    __shared__ bool last;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        last = accl_arrive(arrivals, blocks - 1) == blocks - 1;
    __syncthreads();
    return last;
}

/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

//accl:variant 0 jacobi_20
/* jacobi: parallel loop */
extern "C" __global__ void jacobi_20(int n, int m, const double *__restrict__ a,
                                     double *__restrict__ b, double *change_result,
                                     double *change_partials, unsigned *change_arrivals)
{
    accl_await_last_kernel();

    double change = -INFINITY;
    int i = 1 + (blockIdx.y * 4 + threadIdx.y);
    int j = 1 + (blockIdx.x * 32 + threadIdx.x);
    if (i <= n && j <= n) {
        b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
    }
    accl_reduce_partial_max_double(change, change_partials);
    if (accl_is_last_block(change_arrivals))
        accl_reduce_total_max_double(change_result, change_partials);
}
