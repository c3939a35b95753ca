#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline double accl_reduce_block_max_double(double value, __local double *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    barrier(CLK_LOCAL_MEM_FENCE); /* an earlier use of scratch is over */
    scratch[thread] = value;
    for (int n = threads; n > 1; n = (n + 1) / 2) {
        const int middle = (n + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thread + middle < n)
            scratch[thread] = fmax(scratch[thread], scratch[thread + middle]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}

/* Combines the values of all work-items into *result, the groups' partial results in order. */
__attribute__((always_inline)) static inline void accl_reduce_grid_max_double(double value,
                                                                              __global double *result,
                                                                              volatile __global double *partials,
                                                                              volatile __global uint *arrivals,
                                                                              __local double *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    value = accl_reduce_block_max_double(value, scratch);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread == 0) {
        partials[group] = value;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        scratch[0] = atomic_inc(arrivals) == groups - 1; /* is this the last? */
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (scratch[0] == 0)
        return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    value = -INFINITY;
    for (int i = thread; i < groups; i += threads)
        value = fmax(value, partials[i]);
    value = accl_reduce_block_max_double(value, scratch);
    if (thread == 0) {
        *result = fmax(*result, value);
        *arrivals = 0;
    }
}

/* jacobi: parallel loop */
__kernel void jacobi_20(int n, int m, __global const double *restrict a_buf, long a_off,
                        __global double *restrict b_buf, long b_off, __global double *change_result,
                        __global double *change_partials, __global uint *change_arrivals)
{
    __global const double *restrict a = (__global const double *)((__global const char *)a_buf + a_off);
    __global double *restrict b = (__global double *)((__global char *)b_buf + b_off);
    __local double accl_scratch[128];

    double change = -INFINITY;
    int i = 1 + (get_group_id(1) * 4 + get_local_id(1));
    int j = 1 + (get_group_id(0) * 32 + get_local_id(0));
    if (i <= n && j <= n) {
        b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
    }
    accl_reduce_grid_max_double(change, change_result, change_partials, change_arrivals, accl_scratch);
}
