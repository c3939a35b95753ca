/* The kernels of gangs.c and the functions that launch them. */
#include "gangs_kernels.h"

/* Combines the values of a block's threads; every thread gets the result. */
static __device__ long reduce_block_add_long(long value)
{
    __shared__ long warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {
        const long other = __shfl_down_sync(0xffffffff, value, offset);
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

/* gangs.c:10: parallel loop */
__global__ void rows_10(int n, int m, int (*__restrict__ a)[70])
{
    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < n; i += (int)(gridDim.y * blockDim.y)) {
        for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < m; j += (int)(gridDim.x * blockDim.x))
            a[i][j] += i - j;
    }
}

/* gangs.c:14: parallel loop */
__global__ void rows_14(int n, const int (*__restrict__ a)[70], long *total_result)
{
    long total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int)(gridDim.x * blockDim.x))
        total += a[i][i % 70];
    total = reduce_block_add_long(total);
    if (threadIdx.x == 0)
        atomicAdd((unsigned long long *)total_result, total);
}

void launch_rows_10(int n, int m, int (*a)[70], long num_gangs)
{
    const long gangs_x = min((m + 63L) / 64, (long)num_gangs);
    const long gangs_y = max((long)(num_gangs / (gangs_x > 1 ? gangs_x : 1)), 1L);
    if (m <= 0 || n <= 0)
        return;
    const dim3 grid(gangs_x, min(min((n + 3L) / 4, 65535L), (long)gangs_y));
    const dim3 block(64, 4);
    rows_10<<<grid, block>>>(n, m, (int (*)[70])port_device(a));
    port_launched("rows_10");
}

void launch_rows_14(int n, int (*a)[70], void *total)
{
    if (n <= 0)
        return;
    rows_14<<<min((n + 31L) / 32, 2L), 32>>>(n, (int (*)[70])port_device(a),
                                             (long *)port_device(total));
    port_launched("rows_14");
}
