struct Cell {
    int count;
    double sum;
};

/* Updates *place by swapping the 32-bit word around it; gives the value before. */
static __device__ char accl_atomic_add_char(char *place, char value)
{
    volatile unsigned *bits = (volatile unsigned *)((unsigned long)place & ~3ul);
    const unsigned shift = (unsigned)((unsigned long)place & 3) * 8;
    unsigned before = *bits, seen;
    char old;
    do {
        seen = before;
        old = (char)(seen >> shift & 0xffu);
        const char updated = old + value;
        before = atomicCAS((unsigned *)bits, seen, (seen & ~(0xffu << shift)) | (unsigned)(unsigned char)updated << shift);
    } while (before != seen);
    return old;
}

/* Updates *place; gives the value before. */
static __device__ int accl_atomic_mul_int(int *place, int value)
{
    volatile unsigned *bits = (volatile unsigned *)place;
    unsigned before = *bits, seen;
    do {
        seen = before;
        const int old = seen;
        before = atomicCAS((unsigned *)bits, seen, old * value);
    } while (before != seen);
    return before;
}

/* Updates *place; gives the value before. */
static __device__ long accl_atomic_mul_long(long *place, long value)
{
    volatile unsigned long long *bits = (volatile unsigned long long *)place;
    unsigned long long before = *bits, seen;
    do {
        seen = before;
        const long old = seen;
        before = atomicCAS((unsigned long long *)bits, seen, old * value);
    } while (before != seen);
    return before;
}

/* Updates *place; gives the value before. */
static __device__ double accl_atomic_mul_double(double *place, double value)
{
    volatile unsigned long long *bits = (volatile unsigned long long *)place;
    unsigned long long before = *bits, seen;
    do {
        seen = before;
        const double old = __longlong_as_double(seen);
        before = atomicCAS((unsigned long long *)bits, seen, __double_as_longlong(old * value));
    } while (before != seen);
    return __longlong_as_double(before);
}

/* Updates *place; gives the value before. */
static __device__ unsigned accl_atomic_shl_uint(unsigned *place, unsigned value)
{
    volatile unsigned *bits = (volatile unsigned *)place;
    unsigned before = *bits, seen;
    do {
        seen = before;
        const unsigned old = seen;
        before = atomicCAS((unsigned *)bits, seen, old << value);
    } while (before != seen);
    return before;
}

/* Updates *place; gives the value before. */
static __device__ double accl_atomic_min_double(double *place, double value)
{
    volatile unsigned long long *bits = (volatile unsigned long long *)place;
    unsigned long long before = *bits, seen;
    do {
        seen = before;
        const double old = __longlong_as_double(seen);
        before = atomicCAS((unsigned long long *)bits, seen, __double_as_longlong(fmin(old, value)));
    } while (before != seen);
    return __longlong_as_double(before);
}

/* Updates *place by swapping the 32-bit word around it; gives the value before. */
static __device__ unsigned short accl_atomic_max_ushort(unsigned short *place, unsigned short value)
{
    volatile unsigned *bits = (volatile unsigned *)((unsigned long)place & ~3ul);
    const unsigned shift = (unsigned)((unsigned long)place & 3) * 8;
    unsigned before = *bits, seen;
    unsigned short old;
    do {
        seen = before;
        old = (unsigned short)(seen >> shift & 0xffffu);
        const unsigned short updated = old > value ? old : value;
        before = atomicCAS((unsigned *)bits, seen, (seen & ~(0xffffu << shift)) | (unsigned)(unsigned short)updated << shift);
    } while (before != seen);
    return old;
}

/* Updates *place; gives the value before. */
static __device__ float accl_atomic_max_float(float *place, float value)
{
    volatile unsigned *bits = (volatile unsigned *)place;
    unsigned before = *bits, seen;
    do {
        seen = before;
        const float old = __uint_as_float(seen);
        before = atomicCAS((unsigned *)bits, seen, __float_as_uint(fmaxf(old, value)));
    } while (before != seen);
    return __uint_as_float(before);
}

/* Updates *place; gives the value before. */
static __device__ double accl_atomic_max_double(double *place, double value)
{
    volatile unsigned long long *bits = (volatile unsigned long long *)place;
    unsigned long long before = *bits, seen;
    do {
        seen = before;
        const double old = __longlong_as_double(seen);
        before = atomicCAS((unsigned long long *)bits, seen, __double_as_longlong(fmax(old, value)));
    } while (before != seen);
    return __longlong_as_double(before);
}

/* Updates *place; gives the value before. */
static __device__ double accl_atomic_exchange_double(double *place, double value)
{
    volatile unsigned long long *bits = (volatile unsigned long long *)place;
    unsigned long long before = *bits, seen;
    do {
        seen = before;
        const double old = __longlong_as_double(seen);
        before = atomicCAS((unsigned long long *)bits, seen, __double_as_longlong(value));
    } while (before != seen);
    return __longlong_as_double(before);
}

/* Updates *place; gives the value before. */
static __device__ int accl_atomic_reverse_sub_int(int *place, int value)
{
    volatile unsigned *bits = (volatile unsigned *)place;
    unsigned before = *bits, seen;
    do {
        seen = before;
        const int old = seen;
        before = atomicCAS((unsigned *)bits, seen, value - old);
    } while (before != seen);
    return before;
}

/* Updates *place; gives the value before. */
static __device__ double accl_atomic_reverse_div_double(double *place, double value)
{
    volatile unsigned long long *bits = (volatile unsigned long long *)place;
    unsigned long long before = *bits, seen;
    do {
        seen = before;
        const double old = __longlong_as_double(seen);
        before = atomicCAS((unsigned long long *)bits, seen, __double_as_longlong(value / old));
    } while (before != seen);
    return __longlong_as_double(before);
}

/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

//accl:variant 0 atomics_5
/* atomics: parallel loop */
extern "C" __global__ void atomics_5(int n, int *hist, unsigned *flags, long *wide,
                                     unsigned long *uwide, float *f, double *d, char *bytes,
                                     unsigned short *shorts, Cell *cells, int *out, double *outd)
{
    accl_await_last_kernel();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&hist[i % 10], 1);
        atomicSub(&hist[i % 10], n);
        accl_atomic_mul_int(&hist[i % 10], 3);
        accl_atomic_reverse_sub_int(&hist[i % 10], 3);
        atomicMax(&hist[i], n);
        atomicOr(&flags[0], 1u << (unsigned)(i % 32));
        atomicAnd(&flags[1], 5);
        atomicXor(&flags[2], 5);
        accl_atomic_shl_uint(&flags[3], 1);
        atomicAdd((unsigned long long *)&wide[0], i);
        atomicAdd((unsigned long long *)&wide[1], -((long)i));
        atomicMin((long long *)&wide[2], i);
        accl_atomic_mul_long(&wide[3], 2);
        atomicAdd((unsigned long long *)&uwide[0], i);
        atomicMax((unsigned long long *)&uwide[1], i);
        atomicAdd(&f[0], 1.0f);
        atomicAdd(&f[1], -(f[2] * 2.0f));
        accl_atomic_max_float(&f[3], 2.0f);
        atomicAdd(&d[0], 1.0);
        accl_atomic_mul_double(&d[1], 2.0);
        accl_atomic_min_double(&d[2], d[3]);
        accl_atomic_reverse_div_double(&d[3], 2.0);
        accl_atomic_add_char(&bytes[i], 1);
        accl_atomic_max_ushort(&shorts[i], 7);
        atomicAdd(&cells[i].count, 1);
        atomicAdd(&cells[i].sum, d[i]);
        out[i] = *(volatile int *)&hist[0];
        *(volatile int *)&hist[1] = i;
        out[i] = atomicExch(&hist[2], i);
        out[i] = atomicAdd(&hist[3], 1);
        out[i] = atomicAdd(&hist[4], 2) + 2;
        const int operand = hist[6];
        out[i] = atomicAdd(&hist[5], operand) + operand;
        const int before = accl_atomic_mul_int(&hist[5], 2);
        out[i] = before * 2;
        const double operand_ = d[7];
        outd[i] = atomicAdd(&d[6], operand_) + operand_;
        const double operand_2 = d[7];
        const double before_ = accl_atomic_max_double(&d[6], operand_2);
        outd[i] = fmax(before_, operand_2);
        outd[i] = accl_atomic_exchange_double(&d[6], 3.0);
    }
}
