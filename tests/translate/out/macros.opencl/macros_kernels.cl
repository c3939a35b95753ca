/* The kernels of macros.c. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

typedef struct Point {
    float x;
    float y;
    int group;
} Point;

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

/* Updates *place; gives the value before. */
static float atomic_max_float(__global float *place, float value)
{
    volatile __global uint *bits = (volatile __global uint *)place;
    uint before = *bits, seen;
    do {
        seen = before;
        const float old = as_float(seen);
        before = atomic_cmpxchg((__global uint *)bits, seen, as_uint(fmax(old, value)));
    } while (before != seen);
    return as_float(before);
}

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

/* Combines the values of a group's work-items; every one gets the result. */
static __attribute__((always_inline)) float reduce_block_max_float(float value,
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
            sum = fmax(sum, scratch[i]);
        scratch[thread] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    value = scratch[0];
    for (int i = 1; i < 16 && i < threads; i++)
        value = fmax(value, scratch[i]);
    return value;
}

static double half_(double x)
{
    return x * 0.5 + 1.0;
}

/* macros.c:21: parallel loop */
__kernel void main_21(__global const Point *restrict points, long points_start,
                      __global double *sum_result, long sum_start, __global float *farthest_result,
                      long farthest_start)
{
    points += points_start;
    sum_result += sum_start;
    farthest_result += farthest_start;
    __local double scratch[256];

    double sum = 0.0;
    float farthest = -INFINITY;
    for (int i = get_global_id(0); i < 300; i += (int)(get_num_groups(0) * get_local_size(0))) {
        float d = points[i].x * points[i].x + points[i].y * points[i].y;
        sum += half_(d);
        farthest = d > farthest ? d : farthest;
    }
    sum = reduce_block_add_double(sum, scratch);
    if (get_local_id(0) == 0)
        atomic_add_double(sum_result, sum);
    farthest = reduce_block_max_float(farthest, (__local float *)scratch);
    if (get_local_id(0) == 0)
        atomic_max_float(farthest_result, farthest);
}

/* macros.c:27: parallel loop */
__kernel void main_27(__global int *restrict histogram, long histogram_start,
                      __global const Point *restrict points, long points_start)
{
    histogram += histogram_start;
    points += points_start;

    int i = get_global_id(0);
    if (i < 300) {
        atomic_add(&histogram[points[i].group & 3], 1);
    }
}
