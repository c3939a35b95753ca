#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline long accl_min_long(long a, long b)
{
    return a < b ? a : b;
}

static inline double accl_min_double(double a, double b)
{
    return a < b || b != b ? a : b;
}

/* reductions: parallel loop */
static __attribute__((noinline)) void reductions_3_body(int64_t begin, int64_t end, int64_t total,
                                                        const int *a, float *s_partial,
                                                        int *p_partial, long *lo_partial,
                                                        unsigned *bits_partial, bool *all_partial,
                                                        char *c_partial, double *d_partial,
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

void reductions_3(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    reductions_3_body(begin, end, total, *(const int *const *)args[1], *(float *const *)args[2],
                      *(int *const *)args[3], *(long *const *)args[4], *(unsigned *const *)args[5],
                      *(bool *const *)args[6], *(char *const *)args[7], *(double *const *)args[8],
                      *(unsigned short *const *)args[9]);
}
