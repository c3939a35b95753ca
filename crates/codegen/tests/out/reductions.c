#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

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

static inline long accl_min_long(long a, long b)
{
    return a < b ? a : b;
}

static inline double accl_min_double(double a, double b)
{
    return a < b || b != b ? a : b;
}

/* reductions: parallel loop */
static inline __attribute__((always_inline)) void reductions_3_body(int64_t begin, int64_t end,
                                                                    int64_t total, const int *a,
                                                                    float *s_partial,
                                                                    int *p_partial,
                                                                    long *lo_partial,
                                                                    unsigned *bits_partial,
                                                                    bool *all_partial,
                                                                    char *c_partial,
                                                                    double *d_partial,
                                                                    unsigned short *x_partial)
{
    float s = 0.0f;
    int p = 1;
    long lo = 9223372036854775807L;
    unsigned bits = 4294967295u;
    bool all = true;
    char c = -128;
    double d = INFINITY;
    unsigned short x = 0;
    int first = begin;
    int end_ = end;
    #pragma omp simd reduction(+ : s) reduction(* : p) reduction(min : lo) reduction(& : bits) reduction(&& : all) reduction(min : d) reduction(^ : x)
    for (int i = first; i < end_; i++) {
        s += a[i];
        p *= a[i];
        lo = accl_min_long(lo, a[i]);
        bits &= a[i];
        all = all && a[i] > 0;
        d = accl_min_double(d, a[i]);
        x ^= a[i];
    }
    *s_partial += s;
    *p_partial *= p;
    *lo_partial = *lo_partial < lo ? *lo_partial : lo;
    *bits_partial &= bits;
    *all_partial = *all_partial && all;
    *c_partial = *c_partial > c ? *c_partial : c;
    *d_partial = accl_min_double(*d_partial, d);
    *x_partial ^= x;
}

ACCL_TWICE(reductions_3, , "avx2", (int64_t begin, int64_t end, int64_t total, const int *a,
                                    float *s_partial, int *p_partial, long *lo_partial,
                                    unsigned *bits_partial, bool *all_partial, char *c_partial,
                                    double *d_partial, unsigned short *x_partial),
           (begin, end, total, a, s_partial, p_partial, lo_partial, bits_partial, all_partial,
            c_partial, d_partial, x_partial))

void reductions_3(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(reductions_3, (begin, end, total, *(const int *const *)args[1],
                            *(float *const *)args[2], *(int *const *)args[3],
                            *(long *const *)args[4], *(unsigned *const *)args[5],
                            *(bool *const *)args[6], *(char *const *)args[7],
                            *(double *const *)args[8], *(unsigned short *const *)args[9]));
}
