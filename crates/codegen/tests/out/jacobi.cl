#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Sixteen work-items combine what all of the group have stored. */
static __attribute__((always_inline)) void accl_reduce_rows_max_double(__local double *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread < 16) {
        double sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum = fmax(sum, scratch[i]);
        scratch[thread] = sum;
    }
}

/* Each work-item combines its share of the partial results. */
static __attribute__((always_inline)) void accl_reduce_share_max_double(__local double *scratch,
                                                                        volatile __global double *partials,
                                                                        int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    double value = -INFINITY;
    for (int i = thread; i < groups; i += threads)
        value = fmax(value, partials[i]);
    scratch[thread] = value;
}

/* Puts what the sixteen have combined in the group's place among the partial results. */
static __attribute__((always_inline)) void accl_reduce_partial_max_double(__local double *scratch,
                                                                          volatile __global double *partials)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    if (thread == 0) {
        double value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value = fmax(value, scratch[i]);
        partials[group] = value;
    }
}

/* Combines what the sixteen have combined into the result. */
static __attribute__((always_inline)) void accl_reduce_total_max_double(__local double *scratch,
                                                                        __global double *result,
                                                                        int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread == 0 && groups > 0) {
        double value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value = fmax(value, scratch[i]);
        *result = fmax(*result, value);
    }
}

/* The number of groups, in the one that arrives last and sees what all have stored; else 0. */
static __attribute__((always_inline)) int accl_is_last_block(volatile __global uint *arrivals,
                                                             __local int *last)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (thread == 0) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *last = atomic_inc(arrivals) == groups - 1;
        if (*last)
            *arrivals = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return *last ? groups : 0;
}

/* jacobi: parallel loop */
__kernel void jacobi_20(int n, int m, __global const double *restrict a_buf, long a_off,
                        __global double *restrict b_buf, long b_off, __global double *change_result,
                        __global double *change_partials, __global uint *change_arrivals)
{
    __global const double *restrict a = (__global const double *)((__global const char *)a_buf + a_off);
    __global double *restrict b = (__global double *)((__global char *)b_buf + b_off);
    const int accl_thread = get_local_id(0) + get_local_size(0) * get_local_id(1);
    __local double change_scratch[128];
    __local int accl_last;

    double change = -INFINITY;
    int i = 1 + (get_group_id(1) * 4 + get_local_id(1));
    int j = 1 + (get_group_id(0) * 32 + get_local_id(0));
    if (i <= n && j <= n) {
        b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
    }
    change_scratch[accl_thread] = change;
    barrier(CLK_LOCAL_MEM_FENCE);
    accl_reduce_rows_max_double(change_scratch);
    barrier(CLK_LOCAL_MEM_FENCE);
    accl_reduce_partial_max_double(change_scratch, change_partials);
    const int accl_groups = accl_is_last_block(change_arrivals, &accl_last);
    accl_reduce_share_max_double(change_scratch, change_partials, accl_groups);
    barrier(CLK_LOCAL_MEM_FENCE);
    accl_reduce_rows_max_double(change_scratch);
    barrier(CLK_LOCAL_MEM_FENCE);
    accl_reduce_total_max_double(change_scratch, change_result, accl_groups);
}
