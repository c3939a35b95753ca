/* The reduction of a block, as CUDA programs commonly write it: a tree in shared memory, then one
 * atomic a block. For blocks of BENCH_BLOCK threads, all of which call it. */
#ifndef BENCH_REDUCE_CUH
#define BENCH_REDUCE_CUH

enum { BENCH_BLOCK = 256 };

struct bench_sum {
    template <typename T>
    static __device__ T join(T a, T b) { return a + b; }
};

struct bench_min {
    template <typename T>
    static __device__ T join(T a, T b) { return b < a ? b : a; }
};

struct bench_max {
    template <typename T>
    static __device__ T join(T a, T b) { return a < b ? b : a; }
};

/* The joined value of the block; meaningful in its first thread. */
template <typename Operation, typename T>
__device__ T bench_block_reduce(T mine)
{
    __shared__ T values[BENCH_BLOCK];
    int lane = threadIdx.y * blockDim.x + threadIdx.x;
    __syncthreads(); /* the previous reduction of this block may still be reading */
    values[lane] = mine;
    __syncthreads();
    for (int half = BENCH_BLOCK / 2; half > 0; half /= 2) {
        if (lane < half)
            values[lane] = Operation::join(values[lane], values[lane + half]);
        __syncthreads();
    }
    return values[0];
}

static __device__ bool bench_first_of_block()
{
    return threadIdx.x == 0 && threadIdx.y == 0;
}

#endif
