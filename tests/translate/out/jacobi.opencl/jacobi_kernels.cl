/* The kernels of jacobi.c. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

/* Updates *place; gives the value before. */
static double atomic_max_double(__global double *place, double value)
{
    volatile __global ulong *bits = (volatile __global ulong *)place;
    ulong before = *bits, seen;
    do {
        seen = before;
        const double old = as_double(seen);
        before = atom_cmpxchg((__global ulong *)bits, seen, as_ulong(fmax(old, value)));
    } while (before != seen);
    return as_double(before);
}

/* Combines the values of a group's work-items; every one gets the result. */
static __attribute__((always_inline)) double reduce_block_max_double(double value,
                                                                          __local double *scratch)
{
    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;
    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
    barrier(CLK_LOCAL_MEM_FENCE); /* an earlier use of scratch is over */
    scratch[thread] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread < 16) {
        double sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            sum = fmax(sum, scratch[i]);
        scratch[thread] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    value = scratch[0];
    for (int i = 1; i < 16 && i < threads; i++)
        value = fmax(value, scratch[i]);
    return value;
}

static double mean(double a, double b, double c, double d)
{
    return 0.25 * (a + b + c + d);
}

/* jacobi.c:23: parallel loop */
__kernel void step_23(int n, __global const double (*old)[66], long old_start,
                      __global double (*now)[66], long now_start, __global double *change_result,
                      long change_start)
{
    old += old_start;
    now += now_start;
    change_result += change_start;
    __local double scratch[256];

    double change = -INFINITY;
    for (int i = 1 + get_global_id(1); i < n - 1; i += (int)(get_num_groups(1) * get_local_size(1))) {
        int j = 1 + get_global_id(0);
        if (j < n - 1) {
            now[i][j] = mean(old[i - 1][j], old[i + 1][j], old[i][j - 1], old[i][j + 1]);
            change = fmax(change, fabs(now[i][j] - old[i][j]));
        }
    }
    change = reduce_block_max_double(change, scratch);
    if (get_local_id(0) == 0 && get_local_id(1) == 0)
        atomic_max_double(change_result, change);
}
