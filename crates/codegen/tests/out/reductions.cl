#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline float accl_reduce_block_add_float(float value, __local float *scratch)
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
            scratch[thread] += scratch[thread + middle];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}

/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline int accl_reduce_block_mul_int(int value, __local int *scratch)
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
            scratch[thread] *= scratch[thread + middle];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}

/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline uint accl_reduce_block_and_uint(uint value, __local uint *scratch)
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
            scratch[thread] &= scratch[thread + middle];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}

/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline ushort accl_reduce_block_xor_ushort(ushort value, __local ushort *scratch)
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
            scratch[thread] ^= scratch[thread + middle];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}

/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline bool accl_reduce_block_logical_and_bool(bool value, __local bool *scratch)
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
            scratch[thread] = scratch[thread] && scratch[thread + middle];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}

/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline long accl_reduce_block_min_long(long value, __local long *scratch)
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
            scratch[thread] = scratch[thread] < scratch[thread + middle] ? scratch[thread] : scratch[thread + middle];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}

/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline double accl_reduce_block_min_double(double value, __local double *scratch)
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
            scratch[thread] = fmin(scratch[thread], scratch[thread + middle]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}

/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline char accl_reduce_block_max_char(char value, __local char *scratch)
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
            scratch[thread] = scratch[thread] > scratch[thread + middle] ? scratch[thread] : scratch[thread + middle];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}

/* Combines the values of all work-items into *result, the groups' partial results in order. */
__attribute__((always_inline)) static inline void accl_reduce_grid_add_float(float value,
                                                                             __global float *result,
                                                                             volatile __global float *partials,
                                                                             volatile __global uint *arrivals,
                                                                             __local float *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    value = accl_reduce_block_add_float(value, scratch);
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
    value = 0.0f;
    for (int i = thread; i < groups; i += threads)
        value += partials[i];
    value = accl_reduce_block_add_float(value, scratch);
    if (thread == 0) {
        *result += value;
        *arrivals = 0;
    }
}

/* Combines the values of all work-items into *result, the groups' partial results in order. */
__attribute__((always_inline)) static inline void accl_reduce_grid_mul_int(int value,
                                                                           __global int *result,
                                                                           volatile __global int *partials,
                                                                           volatile __global uint *arrivals,
                                                                           __local int *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    value = accl_reduce_block_mul_int(value, scratch);
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
    value = 1;
    for (int i = thread; i < groups; i += threads)
        value *= partials[i];
    value = accl_reduce_block_mul_int(value, scratch);
    if (thread == 0) {
        *result *= value;
        *arrivals = 0;
    }
}

/* Combines the values of all work-items into *result, the groups' partial results in order. */
__attribute__((always_inline)) static inline void accl_reduce_grid_and_uint(uint value,
                                                                            __global uint *result,
                                                                            volatile __global uint *partials,
                                                                            volatile __global uint *arrivals,
                                                                            __local uint *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    value = accl_reduce_block_and_uint(value, scratch);
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
    value = 4294967295u;
    for (int i = thread; i < groups; i += threads)
        value &= partials[i];
    value = accl_reduce_block_and_uint(value, scratch);
    if (thread == 0) {
        *result &= value;
        *arrivals = 0;
    }
}

/* Combines the values of all work-items into *result, the groups' partial results in order. */
__attribute__((always_inline)) static inline void accl_reduce_grid_xor_ushort(ushort value,
                                                                              __global ushort *result,
                                                                              volatile __global ushort *partials,
                                                                              volatile __global uint *arrivals,
                                                                              __local ushort *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    value = accl_reduce_block_xor_ushort(value, scratch);
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
    value = 0;
    for (int i = thread; i < groups; i += threads)
        value ^= partials[i];
    value = accl_reduce_block_xor_ushort(value, scratch);
    if (thread == 0) {
        *result ^= value;
        *arrivals = 0;
    }
}

/* Combines the values of all work-items into *result, the groups' partial results in order. */
__attribute__((always_inline)) static inline void accl_reduce_grid_logical_and_bool(bool value,
                                                                                    __global bool *result,
                                                                                    volatile __global bool *partials,
                                                                                    volatile __global uint *arrivals,
                                                                                    __local bool *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    value = accl_reduce_block_logical_and_bool(value, scratch);
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
    value = true;
    for (int i = thread; i < groups; i += threads)
        value = value && partials[i];
    value = accl_reduce_block_logical_and_bool(value, scratch);
    if (thread == 0) {
        *result = *result && value;
        *arrivals = 0;
    }
}

/* Combines the values of all work-items into *result, the groups' partial results in order. */
__attribute__((always_inline)) static inline void accl_reduce_grid_min_long(long value,
                                                                            __global long *result,
                                                                            volatile __global long *partials,
                                                                            volatile __global uint *arrivals,
                                                                            __local long *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    value = accl_reduce_block_min_long(value, scratch);
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
    value = 9223372036854775807L;
    for (int i = thread; i < groups; i += threads)
        value = value < partials[i] ? value : partials[i];
    value = accl_reduce_block_min_long(value, scratch);
    if (thread == 0) {
        *result = *result < value ? *result : value;
        *arrivals = 0;
    }
}

/* Combines the values of all work-items into *result, the groups' partial results in order. */
__attribute__((always_inline)) static inline void accl_reduce_grid_min_double(double value,
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
    value = accl_reduce_block_min_double(value, scratch);
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
    value = INFINITY;
    for (int i = thread; i < groups; i += threads)
        value = fmin(value, partials[i]);
    value = accl_reduce_block_min_double(value, scratch);
    if (thread == 0) {
        *result = fmin(*result, value);
        *arrivals = 0;
    }
}

/* Combines the values of all work-items into *result, the groups' partial results in order. */
__attribute__((always_inline)) static inline void accl_reduce_grid_max_char(char value,
                                                                            __global char *result,
                                                                            volatile __global char *partials,
                                                                            volatile __global uint *arrivals,
                                                                            __local char *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    value = accl_reduce_block_max_char(value, scratch);
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
    value = -128;
    for (int i = thread; i < groups; i += threads)
        value = value > partials[i] ? value : partials[i];
    value = accl_reduce_block_max_char(value, scratch);
    if (thread == 0) {
        *result = *result > value ? *result : value;
        *arrivals = 0;
    }
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
    __local double accl_scratch[1024];

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
    s = accl_reduce_block_add_float(s, (__local float *)accl_scratch);
    accl_reduce_grid_add_float(s, s_result, s_partials, s_arrivals, (__local float *)accl_scratch);
    accl_reduce_grid_mul_int(p, p_result, p_partials, p_arrivals, (__local int *)accl_scratch);
    accl_reduce_grid_min_long(lo, lo_result, lo_partials, lo_arrivals, (__local long *)accl_scratch);
    accl_reduce_grid_and_uint(bits, bits_result, bits_partials, bits_arrivals, (__local uint *)accl_scratch);
    accl_reduce_grid_logical_and_bool(all_, (__global bool *)all_result, (__global bool *)all_partials, all_arrivals, (__local bool *)accl_scratch);
    accl_reduce_grid_max_char(c, c_result, c_partials, c_arrivals, (__local char *)accl_scratch);
    accl_reduce_grid_min_double(d, d_result, d_partials, d_arrivals, accl_scratch);
    accl_reduce_grid_xor_ushort(x, x_result, x_partials, x_arrivals, (__local ushort *)accl_scratch);
}
