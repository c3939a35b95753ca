/* The kernels of steps.c. */
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

/* steps.c:22: kernels */
__kernel void steps_22(__global const double (*restrict now)[40], long now_start,
                       __global double (*restrict next)[40], long next_start)
{
    now += now_start;
    next += next_start;

    for (int i = 1 + get_global_id(1); i < 40 - 1; i += (int)(get_num_groups(1) * get_local_size(1))) {
        int j = 1 + get_global_id(0);
        if (j < 40 - 1)
            next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
    }
}

/* steps.c:26: kernels */
__kernel void steps_26(__global const double (*restrict next)[40], long next_start,
                       __global double (*restrict now)[40], long now_start,
                       __global double *largest_result, long largest_start)
{
    next += next_start;
    now += now_start;
    largest_result += largest_start;
    __local double scratch[256];

    double largest = -INFINITY;
    for (int i = 1 + get_global_id(1); i < 40 - 1; i += (int)(get_num_groups(1) * get_local_size(1))) {
        int j = 1 + get_global_id(0);
        if (j < 40 - 1) {
            double change = next[i][j] - now[i][j];
            largest = change > largest ? change : largest;
            now[i][j] = next[i][j];
        }
    }
    largest = reduce_block_max_double(largest, scratch);
    if (get_local_id(0) == 0 && get_local_id(1) == 0)
        atomic_max_double(largest_result, largest);
}

/* steps.c:41: parallel loop */
__kernel void macros_41(__global double *restrict heat, long heat_start)
{
    heat += heat_start;

    int i = get_global_id(0);
    if (i < 40)
        heat[i] = i;
}

/* steps.c:44: parallel loop */
__kernel void macros_44(__global double (*restrict now)[40], long now_start)
{
    now += now_start;

    int i = get_global_id(1);
    if (i < 40) {
        int j = get_global_id(0);
        if (j < 40) {
            now[i][j] = i * j % 7;
            if (j == 0)
                now[i][j] = 9.0;
        }
    }
}

/* steps.c:51: parallel */
__kernel void macros_51(__global double *restrict heat, long heat_start)
{
    heat += heat_start;

    int i = get_global_id(0);
    if (i < 40)
        heat[i] += 1.0;
}
