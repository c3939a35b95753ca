/* The kernels of gangs.c. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

/* Combines the values of a group's work-items; every one gets the result. */
static __attribute__((always_inline)) long reduce_block_add_long(long value,
                                                                      __local long *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    barrier(CLK_LOCAL_MEM_FENCE); /* an earlier use of scratch is over */
    scratch[thread] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread < 16) {
        long sum = scratch[thread];
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

/* gangs.c:10: parallel loop */
__kernel void rows_10(int n, int m, __global int (*restrict a)[70], long a_start)
{
    a += a_start;

    for (int i = get_global_id(1); i < n; i += (int)(get_num_groups(1) * get_local_size(1))) {
        for (int j = get_global_id(0); j < m; j += (int)(get_num_groups(0) * get_local_size(0)))
            a[i][j] += i - j;
    }
}

/* gangs.c:14: parallel loop */
__kernel void rows_14(int n, __global const int (*restrict a)[70], long a_start,
                      __global long *total_result, long total_start)
{
    a += a_start;
    total_result += total_start;
    __local long scratch[32];

    long total = 0;
    for (int i = get_global_id(0); i < n; i += (int)(get_num_groups(0) * get_local_size(0)))
        total += a[i][i % 70];
    total = reduce_block_add_long(total, scratch);
    if (get_local_id(0) == 0)
        atom_add(total_result, total);
}
