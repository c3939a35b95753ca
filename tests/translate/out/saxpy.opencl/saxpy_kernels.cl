/* The kernels of saxpy.c. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#ifdef __NV_CL_C_VERSION
/* Updates *place; gives the value before. */
static double atomic_add_double(__global double *place, double value)
{
    double before;
    asm volatile("atom.global.add.f64 %0, [%1], %2;"
                 : "=d"(before) : "l"(place), "d"(value) : "memory");
    return before;
}
#else
/* Updates *place; gives the value before. */
static double atomic_add_double(__global double *place, double value)
{
    volatile __global ulong *bits = (volatile __global ulong *)place;
    ulong before = *bits, seen;
    do {
        seen = before;
        const double old = as_double(seen);
        before = atom_cmpxchg((__global ulong *)bits, seen, as_ulong(old + value));
    } while (before != seen);
    return as_double(before);
}
#endif

/* Combines the values of a group's work-items; every one gets the result. */
static __attribute__((always_inline)) double reduce_block_add_double(double value,
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
            sum += scratch[i];
        scratch[thread] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    value = scratch[0];
    for (int i = 1; i < 16 && i < threads; i++)
        value += scratch[i];
    return value;
}

/* saxpy.c:10: parallel loop */
__kernel void saxpy_10(int n, float a, __global const float *restrict x, long x_start,
                       __global float *restrict y, long y_start)
{
    x += x_start;
    y += y_start;

    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

/* saxpy.c:27: parallel loop */
__kernel void main_27(__global const float *restrict y, long y_start, __global double *sum_result,
                      long sum_start)
{
    y += y_start;
    sum_result += sum_start;
    __local double scratch[256];

    double sum = 0.0;
    for (int i = get_global_id(0); i < 1000; i += (int)(get_num_groups(0) * get_local_size(0)))
        sum += y[i];
    sum = reduce_block_add_double(sum, scratch);
    if (get_local_id(0) == 0)
        atomic_add_double(sum_result, sum);
}
