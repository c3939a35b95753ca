#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

typedef struct Cell {
    int count;
    double sum;
} Cell;

/* Updates *place by swapping the 32-bit word around it; gives the value before. */
static char accl_atomic_add_char(__global char *place, char value)
{
    volatile __global uint *bits = (volatile __global uint *)((ulong)place & ~3ul);
    const uint shift = (uint)((ulong)place & 3) * 8;
    uint before = *bits, seen;
    char old;
    do {
        seen = before;
        old = (char)(seen >> shift & 0xffu);
        const char updated = old + value;
        before = atomic_cmpxchg((__global uint *)bits, seen, (seen & ~(0xffu << shift)) | (uint)(uchar)updated << shift);
    } while (before != seen);
    return old;
}

#ifdef __NV_CL_C_VERSION
/* Updates *place; gives the value before. */
static float accl_atomic_add_float(__global float *place, float value)
{
    float before;
    asm volatile("atom.global.add.f32 %0, [%1], %2;"
                 : "=f"(before) : "l"(place), "f"(value) : "memory");
    return before;
}
#else
/* Updates *place; gives the value before. */
static float accl_atomic_add_float(__global float *place, float value)
{
    volatile __global uint *bits = (volatile __global uint *)place;
    uint before = *bits, seen;
    do {
        seen = before;
        const float old = as_float(seen);
        before = atomic_cmpxchg((__global uint *)bits, seen, as_uint(old + value));
    } while (before != seen);
    return as_float(before);
}
#endif

#ifdef __NV_CL_C_VERSION
/* Updates *place; gives the value before. */
static double accl_atomic_add_double(__global double *place, double value)
{
    double before;
    asm volatile("atom.global.add.f64 %0, [%1], %2;"
                 : "=d"(before) : "l"(place), "d"(value) : "memory");
    return before;
}
#else
/* Updates *place; gives the value before. */
static double accl_atomic_add_double(__global double *place, double value)
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

#ifdef __NV_CL_C_VERSION
/* Updates *place; gives the value before. */
static float accl_atomic_sub_float(__global float *place, float value)
{
    float before;
    asm volatile("atom.global.add.f32 %0, [%1], %2;"
                 : "=f"(before) : "l"(place), "f"(-value) : "memory");
    return before;
}
#else
/* Updates *place; gives the value before. */
static float accl_atomic_sub_float(__global float *place, float value)
{
    volatile __global uint *bits = (volatile __global uint *)place;
    uint before = *bits, seen;
    do {
        seen = before;
        const float old = as_float(seen);
        before = atomic_cmpxchg((__global uint *)bits, seen, as_uint(old - value));
    } while (before != seen);
    return as_float(before);
}
#endif

/* Updates *place; gives the value before. */
static int accl_atomic_mul_int(__global int *place, int value)
{
    volatile __global uint *bits = (volatile __global uint *)place;
    uint before = *bits, seen;
    do {
        seen = before;
        const int old = seen;
        before = atomic_cmpxchg((__global uint *)bits, seen, old * value);
    } while (before != seen);
    return before;
}

/* Updates *place; gives the value before. */
static long accl_atomic_mul_long(__global long *place, long value)
{
    volatile __global ulong *bits = (volatile __global ulong *)place;
    ulong before = *bits, seen;
    do {
        seen = before;
        const long old = seen;
        before = atom_cmpxchg((__global ulong *)bits, seen, old * value);
    } while (before != seen);
    return before;
}

/* Updates *place; gives the value before. */
static double accl_atomic_mul_double(__global double *place, double value)
{
    volatile __global ulong *bits = (volatile __global ulong *)place;
    ulong before = *bits, seen;
    do {
        seen = before;
        const double old = as_double(seen);
        before = atom_cmpxchg((__global ulong *)bits, seen, as_ulong(old * value));
    } while (before != seen);
    return as_double(before);
}

/* Updates *place; gives the value before. */
static uint accl_atomic_shl_uint(__global uint *place, uint value)
{
    volatile __global uint *bits = (volatile __global uint *)place;
    uint before = *bits, seen;
    do {
        seen = before;
        const uint old = seen;
        before = atomic_cmpxchg((__global uint *)bits, seen, old << value);
    } while (before != seen);
    return before;
}

/* Updates *place; gives the value before. */
static double accl_atomic_min_double(__global double *place, double value)
{
    volatile __global ulong *bits = (volatile __global ulong *)place;
    ulong before = *bits, seen;
    do {
        seen = before;
        const double old = as_double(seen);
        before = atom_cmpxchg((__global ulong *)bits, seen, as_ulong(fmin(old, value)));
    } while (before != seen);
    return as_double(before);
}

/* Updates *place by swapping the 32-bit word around it; gives the value before. */
static ushort accl_atomic_max_ushort(__global ushort *place, ushort value)
{
    volatile __global uint *bits = (volatile __global uint *)((ulong)place & ~3ul);
    const uint shift = (uint)((ulong)place & 3) * 8;
    uint before = *bits, seen;
    ushort old;
    do {
        seen = before;
        old = (ushort)(seen >> shift & 0xffffu);
        const ushort updated = old > value ? old : value;
        before = atomic_cmpxchg((__global uint *)bits, seen, (seen & ~(0xffffu << shift)) | (uint)(ushort)updated << shift);
    } while (before != seen);
    return old;
}

/* Updates *place; gives the value before. */
static float accl_atomic_max_float(__global float *place, float value)
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

/* Updates *place; gives the value before. */
static double accl_atomic_max_double(__global double *place, double value)
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

/* Updates *place; gives the value before. */
static double accl_atomic_exchange_double(__global double *place, double value)
{
    volatile __global ulong *bits = (volatile __global ulong *)place;
    ulong before = *bits, seen;
    do {
        seen = before;
        const double old = as_double(seen);
        before = atom_cmpxchg((__global ulong *)bits, seen, as_ulong(value));
    } while (before != seen);
    return as_double(before);
}

/* Updates *place; gives the value before. */
static int accl_atomic_reverse_sub_int(__global int *place, int value)
{
    volatile __global uint *bits = (volatile __global uint *)place;
    uint before = *bits, seen;
    do {
        seen = before;
        const int old = seen;
        before = atomic_cmpxchg((__global uint *)bits, seen, value - old);
    } while (before != seen);
    return before;
}

/* Updates *place; gives the value before. */
static double accl_atomic_reverse_div_double(__global double *place, double value)
{
    volatile __global ulong *bits = (volatile __global ulong *)place;
    ulong before = *bits, seen;
    do {
        seen = before;
        const double old = as_double(seen);
        before = atom_cmpxchg((__global ulong *)bits, seen, as_ulong(value / old));
    } while (before != seen);
    return as_double(before);
}

/* atomics: parallel loop */
__kernel void atomics_5(int n, __global int *hist_buf, long hist_off, __global uint *flags_buf,
                        long flags_off, __global long *wide_buf, long wide_off,
                        __global ulong *uwide_buf, long uwide_off, __global float *f_buf,
                        long f_off, __global double *d_buf, long d_off, __global char *bytes_buf,
                        long bytes_off, __global ushort *shorts_buf, long shorts_off,
                        __global Cell *cells_buf, long cells_off, __global int *out_buf,
                        long out_off, __global double *outd_buf, long outd_off)
{
    __global int *hist = (__global int *)((__global char *)hist_buf + hist_off);
    __global uint *flags = (__global uint *)((__global char *)flags_buf + flags_off);
    __global long *wide = (__global long *)((__global char *)wide_buf + wide_off);
    __global ulong *uwide = (__global ulong *)((__global char *)uwide_buf + uwide_off);
    __global float *f = (__global float *)((__global char *)f_buf + f_off);
    __global double *d = (__global double *)((__global char *)d_buf + d_off);
    __global char *bytes = (__global char *)((__global char *)bytes_buf + bytes_off);
    __global ushort *shorts = (__global ushort *)((__global char *)shorts_buf + shorts_off);
    __global Cell *cells = (__global Cell *)((__global char *)cells_buf + cells_off);
    __global int *out = (__global int *)((__global char *)out_buf + out_off);
    __global double *outd = (__global double *)((__global char *)outd_buf + outd_off);

    int i = get_global_id(0);
    if (i < n) {
        atomic_add(&hist[i % 10], 1);
        atomic_sub(&hist[i % 10], n);
        accl_atomic_mul_int(&hist[i % 10], 3);
        accl_atomic_reverse_sub_int(&hist[i % 10], 3);
        atomic_max(&hist[i], n);
        atomic_or(&flags[0], 1u << (uint)(i % 32));
        atomic_and(&flags[1], 5);
        atomic_xor(&flags[2], 5);
        accl_atomic_shl_uint(&flags[3], 1);
        atom_add(&wide[0], i);
        atom_sub(&wide[1], i);
        atom_min(&wide[2], i);
        accl_atomic_mul_long(&wide[3], 2);
        atom_add(&uwide[0], i);
        atom_max(&uwide[1], i);
        accl_atomic_add_float(&f[0], 1.0f);
        accl_atomic_sub_float(&f[1], f[2] * 2.0f);
        accl_atomic_max_float(&f[3], 2.0f);
        accl_atomic_add_double(&d[0], 1.0);
        accl_atomic_mul_double(&d[1], 2.0);
        accl_atomic_min_double(&d[2], d[3]);
        accl_atomic_reverse_div_double(&d[3], 2.0);
        accl_atomic_add_char(&bytes[i], 1);
        accl_atomic_max_ushort(&shorts[i], 7);
        atomic_add(&cells[i].count, 1);
        accl_atomic_add_double(&cells[i].sum, d[i]);
        out[i] = *(volatile __global int *)&hist[0];
        *(volatile __global int *)&hist[1] = i;
        out[i] = atomic_xchg(&hist[2], i);
        out[i] = atomic_add(&hist[3], 1);
        out[i] = atomic_add(&hist[4], 2) + 2;
        const int operand = hist[6];
        out[i] = atomic_add(&hist[5], operand) + operand;
        const int before = accl_atomic_mul_int(&hist[5], 2);
        out[i] = before * 2;
        const double operand_ = d[7];
        outd[i] = accl_atomic_add_double(&d[6], operand_) + operand_;
        const double operand_2 = d[7];
        const double before_ = accl_atomic_max_double(&d[6], operand_2);
        outd[i] = fmax(before_, operand_2);
        outd[i] = accl_atomic_exchange_double(&d[6], 3.0);
    }
}
