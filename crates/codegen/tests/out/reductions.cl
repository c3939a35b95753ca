#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Combines the values of a group's work-items; every one gets the result. */
static __attribute__((always_inline)) float accl_reduce_block_add_float(float value,
                                                                        __local float *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    barrier(CLK_LOCAL_MEM_FENCE); /* an earlier use of scratch is over */
    scratch[thread] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread < 16) {
        float sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum += scratch[i];
        scratch[thread] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    value = scratch[0];
    for (int i = 1; i < 16 && i < threads; i++)
        value += scratch[i];
    return value;
}

/* Sixteen work-items combine what all of the group have stored. */
static __attribute__((always_inline)) void accl_reduce_rows_add_float(__local float *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread < 16) {
        float sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum += scratch[i];
        scratch[thread] = sum;
    }
}

/* Sixteen work-items combine what all of the group have stored. */
static __attribute__((always_inline)) void accl_reduce_rows_mul_int(__local int *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread < 16) {
        int sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum *= scratch[i];
        scratch[thread] = sum;
    }
}

/* Sixteen work-items combine what all of the group have stored. */
static __attribute__((always_inline)) void accl_reduce_rows_and_uint(__local uint *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread < 16) {
        uint sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum &= scratch[i];
        scratch[thread] = sum;
    }
}

/* Sixteen work-items combine what all of the group have stored. */
static __attribute__((always_inline)) void accl_reduce_rows_xor_ushort(__local ushort *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread < 16) {
        ushort sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum ^= scratch[i];
        scratch[thread] = sum;
    }
}

/* Sixteen work-items combine what all of the group have stored. */
static __attribute__((always_inline)) void accl_reduce_rows_logical_and_bool(__local bool *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread < 16) {
        bool sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum = sum && scratch[i];
        scratch[thread] = sum;
    }
}

/* Sixteen work-items combine what all of the group have stored. */
static __attribute__((always_inline)) void accl_reduce_rows_min_long(__local long *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread < 16) {
        long sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum = sum < scratch[i] ? sum : scratch[i];
        scratch[thread] = sum;
    }
}

/* Sixteen work-items combine what all of the group have stored. */
static __attribute__((always_inline)) void accl_reduce_rows_min_double(__local double *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread < 16) {
        double sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum = fmin(sum, scratch[i]);
        scratch[thread] = sum;
    }
}

/* Sixteen work-items combine what all of the group have stored. */
static __attribute__((always_inline)) void accl_reduce_rows_max_char(__local char *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread < 16) {
        char sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum = sum > scratch[i] ? sum : scratch[i];
        scratch[thread] = sum;
    }
}

/* Each work-item combines its share of the partial results. */
static __attribute__((always_inline)) void accl_reduce_share_add_float(__local float *scratch,
                                                                       volatile __global float *partials,
                                                                       int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    float value = 0.0f;
    for (int i = thread; i < groups; i += threads)
        value += partials[i];
    scratch[thread] = value;
}

/* Each work-item combines its share of the partial results. */
static __attribute__((always_inline)) void accl_reduce_share_mul_int(__local int *scratch,
                                                                     volatile __global int *partials,
                                                                     int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    int value = 1;
    for (int i = thread; i < groups; i += threads)
        value *= partials[i];
    scratch[thread] = value;
}

/* Each work-item combines its share of the partial results. */
static __attribute__((always_inline)) void accl_reduce_share_and_uint(__local uint *scratch,
                                                                      volatile __global uint *partials,
                                                                      int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint value = 4294967295u;
    for (int i = thread; i < groups; i += threads)
        value &= partials[i];
    scratch[thread] = value;
}

/* Each work-item combines its share of the partial results. */
static __attribute__((always_inline)) void accl_reduce_share_xor_ushort(__local ushort *scratch,
                                                                        volatile __global ushort *partials,
                                                                        int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    ushort value = 0;
    for (int i = thread; i < groups; i += threads)
        value ^= partials[i];
    scratch[thread] = value;
}

/* Each work-item combines its share of the partial results. */
static __attribute__((always_inline)) void accl_reduce_share_logical_and_bool(__local bool *scratch,
                                                                              volatile __global bool *partials,
                                                                              int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    bool value = true;
    for (int i = thread; i < groups; i += threads)
        value = value && partials[i];
    scratch[thread] = value;
}

/* Each work-item combines its share of the partial results. */
static __attribute__((always_inline)) void accl_reduce_share_min_long(__local long *scratch,
                                                                      volatile __global long *partials,
                                                                      int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    long value = 9223372036854775807L;
    for (int i = thread; i < groups; i += threads)
        value = value < partials[i] ? value : partials[i];
    scratch[thread] = value;
}

/* Each work-item combines its share of the partial results. */
static __attribute__((always_inline)) void accl_reduce_share_min_double(__local double *scratch,
                                                                        volatile __global double *partials,
                                                                        int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    double value = INFINITY;
    for (int i = thread; i < groups; i += threads)
        value = fmin(value, partials[i]);
    scratch[thread] = value;
}

/* Each work-item combines its share of the partial results. */
static __attribute__((always_inline)) void accl_reduce_share_max_char(__local char *scratch,
                                                                      volatile __global char *partials,
                                                                      int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    char value = -128;
    for (int i = thread; i < groups; i += threads)
        value = value > partials[i] ? value : partials[i];
    scratch[thread] = value;
}

/* Puts what the sixteen have combined in the group's place among the partial results. */
static __attribute__((always_inline)) void accl_reduce_partial_add_float(__local float *scratch,
                                                                         volatile __global float *partials)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    if (thread == 0) {
        float value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value += scratch[i];
        partials[group] = value;
    }
}

/* Puts what the sixteen have combined in the group's place among the partial results. */
static __attribute__((always_inline)) void accl_reduce_partial_mul_int(__local int *scratch,
                                                                       volatile __global int *partials)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    if (thread == 0) {
        int value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value *= scratch[i];
        partials[group] = value;
    }
}

/* Puts what the sixteen have combined in the group's place among the partial results. */
static __attribute__((always_inline)) void accl_reduce_partial_and_uint(__local uint *scratch,
                                                                        volatile __global uint *partials)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    if (thread == 0) {
        uint value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value &= scratch[i];
        partials[group] = value;
    }
}

/* Puts what the sixteen have combined in the group's place among the partial results. */
static __attribute__((always_inline)) void accl_reduce_partial_xor_ushort(__local ushort *scratch,
                                                                          volatile __global ushort *partials)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    if (thread == 0) {
        ushort value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value ^= scratch[i];
        partials[group] = value;
    }
}

/* Puts what the sixteen have combined in the group's place among the partial results. */
static __attribute__((always_inline)) void accl_reduce_partial_logical_and_bool(__local bool *scratch,
                                                                                volatile __global bool *partials)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    if (thread == 0) {
        bool value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value = value && scratch[i];
        partials[group] = value;
    }
}

/* Puts what the sixteen have combined in the group's place among the partial results. */
static __attribute__((always_inline)) void accl_reduce_partial_min_long(__local long *scratch,
                                                                        volatile __global long *partials)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    if (thread == 0) {
        long value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value = value < scratch[i] ? value : scratch[i];
        partials[group] = value;
    }
}

/* Puts what the sixteen have combined in the group's place among the partial results. */
static __attribute__((always_inline)) void accl_reduce_partial_min_double(__local double *scratch,
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
            value = fmin(value, scratch[i]);
        partials[group] = value;
    }
}

/* Puts what the sixteen have combined in the group's place among the partial results. */
static __attribute__((always_inline)) void accl_reduce_partial_max_char(__local char *scratch,
                                                                        volatile __global char *partials)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    if (thread == 0) {
        char value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value = value > scratch[i] ? value : scratch[i];
        partials[group] = value;
    }
}

/* Combines what the sixteen have combined into the result. */
static __attribute__((always_inline)) void accl_reduce_total_add_float(__local float *scratch,
                                                                       __global float *result,
                                                                       int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread == 0 && groups > 0) {
        float value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value += scratch[i];
        *result += value;
    }
}

/* Combines what the sixteen have combined into the result. */
static __attribute__((always_inline)) void accl_reduce_total_mul_int(__local int *scratch,
                                                                     __global int *result,
                                                                     int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread == 0 && groups > 0) {
        int value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value *= scratch[i];
        *result *= value;
    }
}

/* Combines what the sixteen have combined into the result. */
static __attribute__((always_inline)) void accl_reduce_total_and_uint(__local uint *scratch,
                                                                      __global uint *result,
                                                                      int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread == 0 && groups > 0) {
        uint value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value &= scratch[i];
        *result &= value;
    }
}

/* Combines what the sixteen have combined into the result. */
static __attribute__((always_inline)) void accl_reduce_total_xor_ushort(__local ushort *scratch,
                                                                        __global ushort *result,
                                                                        int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread == 0 && groups > 0) {
        ushort value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value ^= scratch[i];
        *result ^= value;
    }
}

/* Combines what the sixteen have combined into the result. */
static __attribute__((always_inline)) void accl_reduce_total_logical_and_bool(__local bool *scratch,
                                                                              __global bool *result,
                                                                              int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread == 0 && groups > 0) {
        bool value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value = value && scratch[i];
        *result = *result && value;
    }
}

/* Combines what the sixteen have combined into the result. */
static __attribute__((always_inline)) void accl_reduce_total_min_long(__local long *scratch,
                                                                      __global long *result,
                                                                      int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread == 0 && groups > 0) {
        long value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value = value < scratch[i] ? value : scratch[i];
        *result = *result < value ? *result : value;
    }
}

/* Combines what the sixteen have combined into the result. */
static __attribute__((always_inline)) void accl_reduce_total_min_double(__local double *scratch,
                                                                        __global double *result,
                                                                        int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread == 0 && groups > 0) {
        double value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value = fmin(value, scratch[i]);
        *result = fmin(*result, value);
    }
}

/* Combines what the sixteen have combined into the result. */
static __attribute__((always_inline)) void accl_reduce_total_max_char(__local char *scratch,
                                                                      __global char *result,
                                                                      int groups)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    if (thread == 0 && groups > 0) {
        char value = scratch[0];
        for (int i = 1; i < 16 && i < threads; i++)
            value = value > scratch[i] ? value : scratch[i];
        *result = *result > value ? *result : value;
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

/* reductions: parallel loop */
__kernel void reductions_3(int n, __global const int *a_buf, long a_off, __global float *s_result,
                           __global float *s_partials, __global uint *s_arrivals,
                           __global int *p_result, __global int *p_partials,
                           __global uint *p_arrivals, __global long *lo_result,
                           __global long *lo_partials, __global uint *lo_arrivals,
                           __global uint *bits_result, __global uint *bits_partials,
                           __global uint *bits_arrivals, __global uchar *all_result,
                           __global uchar *all_partials, __global uint *all_arrivals,
                           __global char *c_result, __global char *c_partials,
                           __global uint *c_arrivals, __global double *d_result,
                           __global double *d_partials, __global uint *d_arrivals,
                           __global ushort *x_result, __global ushort *x_partials,
                           __global uint *x_arrivals)
{
    __global const int *a = (__global const int *)((__global const char *)a_buf + a_off);
    __local float accl_scratch[1024];
    const int accl_thread = get_local_id(0);
    __local float s_scratch[1024];
    __local int p_scratch[1024];
    __local long lo_scratch[1024];
    __local uint bits_scratch[1024];
    __local bool all_scratch[1024];
    __local char c_scratch[1024];
    __local double d_scratch[1024];
    __local ushort x_scratch[1024];
    __local int accl_last;

    float s = 0.0f;
    int p = 1;
    long lo = 9223372036854775807L;
    uint bits = 4294967295u;
    bool all_ = true;
    char c = -128;
    double d = INFINITY;
    ushort x = 0;
    int i = get_global_id(0);
    if (i < n) {
        s += a[i];
        p *= a[i];
        lo = min(lo, (long)a[i]);
        bits &= a[i];
        all_ = all_ && a[i] > 0;
        c = max((int)c, a[i]);
        d = fmin(d, (double)a[i]);
        x ^= a[i];
    }
    s = accl_reduce_block_add_float(s, accl_scratch);
    s_scratch[accl_thread] = s;
    p_scratch[accl_thread] = p;
    lo_scratch[accl_thread] = lo;
    bits_scratch[accl_thread] = bits;
    all_scratch[accl_thread] = all_;
    c_scratch[accl_thread] = c;
    d_scratch[accl_thread] = d;
    x_scratch[accl_thread] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    accl_reduce_rows_add_float(s_scratch);
    accl_reduce_rows_mul_int(p_scratch);
    accl_reduce_rows_min_long(lo_scratch);
    accl_reduce_rows_and_uint(bits_scratch);
    accl_reduce_rows_logical_and_bool(all_scratch);
    accl_reduce_rows_max_char(c_scratch);
    accl_reduce_rows_min_double(d_scratch);
    accl_reduce_rows_xor_ushort(x_scratch);
    barrier(CLK_LOCAL_MEM_FENCE);
    accl_reduce_partial_add_float(s_scratch, s_partials);
    accl_reduce_partial_mul_int(p_scratch, p_partials);
    accl_reduce_partial_min_long(lo_scratch, lo_partials);
    accl_reduce_partial_and_uint(bits_scratch, bits_partials);
    accl_reduce_partial_logical_and_bool(all_scratch, (__global bool *)all_partials);
    accl_reduce_partial_max_char(c_scratch, c_partials);
    accl_reduce_partial_min_double(d_scratch, d_partials);
    accl_reduce_partial_xor_ushort(x_scratch, x_partials);
    const int accl_groups = accl_is_last_block(s_arrivals, &accl_last);
    accl_reduce_share_add_float(s_scratch, s_partials, accl_groups);
    accl_reduce_share_mul_int(p_scratch, p_partials, accl_groups);
    accl_reduce_share_min_long(lo_scratch, lo_partials, accl_groups);
    accl_reduce_share_and_uint(bits_scratch, bits_partials, accl_groups);
    accl_reduce_share_logical_and_bool(all_scratch, (__global bool *)all_partials, accl_groups);
    accl_reduce_share_max_char(c_scratch, c_partials, accl_groups);
    accl_reduce_share_min_double(d_scratch, d_partials, accl_groups);
    accl_reduce_share_xor_ushort(x_scratch, x_partials, accl_groups);
    barrier(CLK_LOCAL_MEM_FENCE);
    accl_reduce_rows_add_float(s_scratch);
    accl_reduce_rows_mul_int(p_scratch);
    accl_reduce_rows_min_long(lo_scratch);
    accl_reduce_rows_and_uint(bits_scratch);
    accl_reduce_rows_logical_and_bool(all_scratch);
    accl_reduce_rows_max_char(c_scratch);
    accl_reduce_rows_min_double(d_scratch);
    accl_reduce_rows_xor_ushort(x_scratch);
    barrier(CLK_LOCAL_MEM_FENCE);
    accl_reduce_total_add_float(s_scratch, s_result, accl_groups);
    accl_reduce_total_mul_int(p_scratch, p_result, accl_groups);
    accl_reduce_total_min_long(lo_scratch, lo_result, accl_groups);
    accl_reduce_total_and_uint(bits_scratch, bits_result, accl_groups);
    accl_reduce_total_logical_and_bool(all_scratch, (__global bool *)all_result, accl_groups);
    accl_reduce_total_max_char(c_scratch, c_result, accl_groups);
    accl_reduce_total_min_double(d_scratch, d_result, accl_groups);
    accl_reduce_total_xor_ushort(x_scratch, x_result, accl_groups);
}
