#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* clang 14 and 15 make vectors of some loops that write a[i % 3] or a[ix[i]], though their iterations meet there. */
#ifdef __clang__
#define ACCL_IN_ORDER _Pragma("clang loop vectorize(disable)")
#else
#define ACCL_IN_ORDER
#endif

/* Kernels are compiled a second time, for processors that have wider vectors, and multiply and add at once. The library that tells
 * the processors apart may not lie where programs with much static data can reach it. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !(defined(__AVX2__) && defined(__FMA__)) \
    && !defined(__code_model_medium__) && !defined(__code_model_large__)
#define ACCL_TWICE(name, keeps, features, params, arguments) \
    keeps static __attribute__((noinline)) void name##_any params { name##_body arguments; } \
    __attribute__((target(features))) \
    keeps static __attribute__((noinline)) void name##_wide params { name##_body arguments; }
#define ACCL_RUN(name, arguments) \
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) \
        name##_wide arguments; \
    else \
        name##_any arguments
#else
#define ACCL_TWICE(name, keeps, features, params, arguments) \
    keeps static __attribute__((noinline)) void name##_any params { name##_body arguments; }
#define ACCL_RUN(name, arguments) name##_any arguments
#endif

typedef struct Cell {
    int count;
    double sum;
} Cell;

static inline double accl_min_double(double a, double b)
{
    return a < b || b != b ? a : b;
}

/* Updates *place; gives the value before. */
static double accl_atomic_add_double(double *place, double value)
{
    double old = *(volatile double *)place, updated;
    do
        updated = old + value;
    while (!__atomic_compare_exchange(place, &old, &updated, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

/* Updates *place; gives the value before. */
static float accl_atomic_sub_float(float *place, float value)
{
    float old = *(volatile float *)place, updated;
    do
        updated = old - value;
    while (!__atomic_compare_exchange(place, &old, &updated, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

/* Updates *place; gives the value before. */
static int accl_atomic_mul_int(int *place, int value)
{
    int old = *(volatile int *)place, updated;
    do
        updated = old * value;
    while (!__atomic_compare_exchange(place, &old, &updated, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

/* Updates *place; gives the value before. */
static double accl_atomic_min_double(double *place, double value)
{
    double old = *(volatile double *)place, updated;
    do
        updated = accl_min_double(old, value);
    while (!__atomic_compare_exchange(place, &old, &updated, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

/* Updates *place; gives the value before. */
static unsigned short accl_atomic_max_ushort(unsigned short *place, unsigned short value)
{
    unsigned short old = *(volatile unsigned short *)place, updated;
    do
        updated = old > value ? old : value;
    while (!__atomic_compare_exchange(place, &old, &updated, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

/* atomics: parallel loop */
static inline __attribute__((always_inline)) void atomics_5_body(int64_t begin, int64_t end,
                                                                 int64_t total, int *hist,
                                                                 unsigned *flags, float *f,
                                                                 double *d, char *bytes,
                                                                 unsigned short *shorts,
                                                                 Cell *cells, int *out,
                                                                 double *outd)
{
    int first = begin;
    int end_ = end;
    ACCL_IN_ORDER
    for (int i = first; i < end_; i++) {
        __atomic_fetch_add(&hist[i % 10], 1, __ATOMIC_RELAXED);
        accl_atomic_mul_int(&hist[i % 10], 3);
        __atomic_fetch_or(&flags[0], 1u << (unsigned)(i % 32), __ATOMIC_RELAXED);
        accl_atomic_sub_float(&f[1], f[2] * 2.0f);
        accl_atomic_min_double(&d[2], d[3]);
        __atomic_fetch_add(&bytes[i], 1, __ATOMIC_RELAXED);
        accl_atomic_max_ushort(&shorts[i], 7);
        accl_atomic_add_double(&cells[i].sum, d[i]);
        out[i] = __atomic_load_n(&hist[0], __ATOMIC_RELAXED);
        outd[i] = *(volatile double *)&d[0];
        __atomic_store_n(&hist[1], i, __ATOMIC_RELAXED);
        *(volatile double *)&d[1] = 1.0;
        out[i] = __atomic_exchange_n(&hist[2], i, __ATOMIC_RELAXED);
        out[i] = __atomic_fetch_add(&hist[4], 2, __ATOMIC_RELAXED) + 2;
        const int before = accl_atomic_mul_int(&hist[5], 2);
        out[i] = before * 2;
        const double operand = d[7];
        outd[i] = accl_atomic_add_double(&d[6], operand) + operand;
    }
}

ACCL_TWICE(atomics_5, , "avx2", (int64_t begin, int64_t end, int64_t total, int *hist,
                                 unsigned *flags, float *f, double *d, char *bytes,
                                 unsigned short *shorts, Cell *cells, int *out, double *outd),
           (begin, end, total, hist, flags, f, d, bytes, shorts, cells, out, outd))

void atomics_5(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(atomics_5, (begin, end, total, *(int *const *)args[1], *(unsigned *const *)args[2],
                         *(float *const *)args[5], *(double *const *)args[6],
                         *(char *const *)args[7], *(unsigned short *const *)args[8],
                         *(Cell *const *)args[9], *(int *const *)args[10],
                         *(double *const *)args[11]));
}
