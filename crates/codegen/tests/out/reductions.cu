#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ float accl_reduce_block_add_float(float value)
{
    __shared__ float warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const float other = __shfl_down_sync(0xffffffff, value, offset);
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
static __device__ int accl_reduce_block_mul_int(int value)
{
    __shared__ int warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const int other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value *= other;
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value *= warps[warp];
    return value;
}

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ unsigned accl_reduce_block_and_uint(unsigned value)
{
    __shared__ unsigned warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
#if __CUDA_ARCH__ >= 800
    value = __reduce_and_sync(0xffffffff, value);
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = 4294967295u;
    for (int warp = thread % 32; warp * 32 < threads; warp += min(32, threads - thread / 32 * 32))
        value &= warps[warp];
    return __reduce_and_sync(0xffffffff, value);
#else
    for (int offset = 16; offset > 0; offset /= 2) {
        const unsigned other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value &= other;
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value &= warps[warp];
    return value;
#endif
}

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ unsigned short accl_reduce_block_xor_ushort(unsigned short value)
{
    __shared__ unsigned short warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const unsigned short other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value ^= other;
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value ^= warps[warp];
    return value;
}

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ bool accl_reduce_block_logical_and_bool(bool value)
{
    __shared__ bool warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const bool other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value = value && other;
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value = value && warps[warp];
    return value;
}

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ long accl_reduce_block_min_long(long value)
{
    __shared__ long warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const long other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value = value < other ? value : other;
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value = value < warps[warp] ? value : warps[warp];
    return value;
}

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ double accl_reduce_block_min_double(double value)
{
    __shared__ double warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const double other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value = fmin(value, other);
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value = fmin(value, warps[warp]);
    return value;
}

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ char accl_reduce_block_max_char(char value)
{
    __shared__ char warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const char other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            value = value > other ? value : other;
    }
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        value = value > warps[warp] ? value : warps[warp];
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
static __device__ void accl_reduce_partial_add_float(float value, volatile float *partials)
{
    value = accl_reduce_block_add_float(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* Combines the values of a block's threads into the block's place among the partial results. */
static __device__ void accl_reduce_partial_mul_int(int value, volatile int *partials)
{
    value = accl_reduce_block_mul_int(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* Combines the values of a block's threads into the block's place among the partial results. */
static __device__ void accl_reduce_partial_and_uint(unsigned value, volatile unsigned *partials)
{
    value = accl_reduce_block_and_uint(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* Combines the values of a block's threads into the block's place among the partial results. */
static __device__ void accl_reduce_partial_xor_ushort(unsigned short value, volatile unsigned short *partials)
{
    value = accl_reduce_block_xor_ushort(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* Combines the values of a block's threads into the block's place among the partial results. */
static __device__ void accl_reduce_partial_logical_and_bool(bool value, volatile bool *partials)
{
    value = accl_reduce_block_logical_and_bool(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* Combines the values of a block's threads into the block's place among the partial results. */
static __device__ void accl_reduce_partial_min_long(long value, volatile long *partials)
{
    value = accl_reduce_block_min_long(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* Combines the values of a block's threads into the block's place among the partial results. */
static __device__ void accl_reduce_partial_min_double(double value, volatile double *partials)
{
    value = accl_reduce_block_min_double(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* Combines the values of a block's threads into the block's place among the partial results. */
static __device__ void accl_reduce_partial_max_char(char value, volatile char *partials)
{
    value = accl_reduce_block_max_char(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void accl_reduce_total_add_float(float *result, volatile float *partials)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    float value = 0.0f;
    for (unsigned i = thread; i < blocks; i += threads)
        value += partials[i];
    value = accl_reduce_block_add_float(value);
    if (thread == 0)
        *result += value;
}

/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void accl_reduce_total_mul_int(int *result, volatile int *partials)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    int value = 1;
    for (unsigned i = thread; i < blocks; i += threads)
        value *= partials[i];
    value = accl_reduce_block_mul_int(value);
    if (thread == 0)
        *result *= value;
}

/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void accl_reduce_total_and_uint(unsigned *result, volatile unsigned *partials)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    unsigned value = 4294967295u;
    for (unsigned i = thread; i < blocks; i += threads)
        value &= partials[i];
    value = accl_reduce_block_and_uint(value);
    if (thread == 0)
        *result &= value;
}

/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void accl_reduce_total_xor_ushort(unsigned short *result, volatile unsigned short *partials)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    unsigned short value = 0;
    for (unsigned i = thread; i < blocks; i += threads)
        value ^= partials[i];
    value = accl_reduce_block_xor_ushort(value);
    if (thread == 0)
        *result ^= value;
}

/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void accl_reduce_total_logical_and_bool(bool *result, volatile bool *partials)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    bool value = true;
    for (unsigned i = thread; i < blocks; i += threads)
        value = value && partials[i];
    value = accl_reduce_block_logical_and_bool(value);
    if (thread == 0)
        *result = *result && value;
}

/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void accl_reduce_total_min_long(long *result, volatile long *partials)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    long value = 9223372036854775807L;
    for (unsigned i = thread; i < blocks; i += threads)
        value = value < partials[i] ? value : partials[i];
    value = accl_reduce_block_min_long(value);
    if (thread == 0)
        *result = *result < value ? *result : value;
}

/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void accl_reduce_total_min_double(double *result, volatile double *partials)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    double value = INFINITY;
    for (unsigned i = thread; i < blocks; i += threads)
        value = fmin(value, partials[i]);
    value = accl_reduce_block_min_double(value);
    if (thread == 0)
        *result = fmin(*result, value);
}

/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void accl_reduce_total_max_char(char *result, volatile char *partials)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    char value = -128;
    for (unsigned i = thread; i < blocks; i += threads)
        value = value > partials[i] ? value : partials[i];
    value = accl_reduce_block_max_char(value);
    if (thread == 0)
        *result = *result > value ? *result : value;
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

//accl:variant 0 reductions_3
/* reductions: parallel loop */
extern "C" __global__ void __launch_bounds__(1024) reductions_3(int n, const int *a,
                                                                float *s_result, float *s_partials,
                                                                unsigned *s_arrivals, int *p_result,
                                                                int *p_partials,
                                                                unsigned *p_arrivals,
                                                                long *lo_result, long *lo_partials,
                                                                unsigned *lo_arrivals,
                                                                unsigned *bits_result,
                                                                unsigned *bits_partials,
                                                                unsigned *bits_arrivals,
                                                                bool *all_result,
                                                                bool *all_partials,
                                                                unsigned *all_arrivals,
                                                                char *c_result, char *c_partials,
                                                                unsigned *c_arrivals,
                                                                double *d_result,
                                                                double *d_partials,
                                                                unsigned *d_arrivals,
                                                                unsigned short *x_result,
                                                                unsigned short *x_partials,
                                                                unsigned *x_arrivals)
{
    accl_await_last_kernel();

    float s = 0.0f;
    int p = 1;
    long lo = 9223372036854775807L;
    unsigned bits = 4294967295u;
    bool all = true;
    char c = -128;
    double d = INFINITY;
    unsigned short x = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        s += a[i];
        p *= a[i];
        lo = min(lo, (long)a[i]);
        bits &= a[i];
        all = all && a[i] > 0;
        c = max((int)c, a[i]);
        d = fmin(d, (double)a[i]);
        x ^= a[i];
    }
    s = accl_reduce_block_add_float(s);
    accl_reduce_partial_add_float(s, s_partials);
    accl_reduce_partial_mul_int(p, p_partials);
    accl_reduce_partial_min_long(lo, lo_partials);
    accl_reduce_partial_and_uint(bits, bits_partials);
    accl_reduce_partial_logical_and_bool(all, all_partials);
    accl_reduce_partial_max_char(c, c_partials);
    accl_reduce_partial_min_double(d, d_partials);
    accl_reduce_partial_xor_ushort(x, x_partials);
    if (accl_is_last_block(s_arrivals)) {
        accl_reduce_total_add_float(s_result, s_partials);
        accl_reduce_total_mul_int(p_result, p_partials);
        accl_reduce_total_min_long(lo_result, lo_partials);
        accl_reduce_total_and_uint(bits_result, bits_partials);
        accl_reduce_total_logical_and_bool(all_result, all_partials);
        accl_reduce_total_max_char(c_result, c_partials);
        accl_reduce_total_min_double(d_result, d_partials);
        accl_reduce_total_xor_ushort(x_result, x_partials);
    }
}
