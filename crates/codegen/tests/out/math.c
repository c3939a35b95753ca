#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline int accl_min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline long accl_min_long(long a, long b)
{
    return a < b ? a : b;
}

static inline float accl_min_float(float a, float b)
{
    return a < b || b != b ? a : b;
}

static inline int accl_max_int(int a, int b)
{
    return a > b ? a : b;
}

static inline long accl_max_long(long a, long b)
{
    return a > b ? a : b;
}

static inline float accl_max_float(float a, float b)
{
    return a > b || b != b ? a : b;
}

/* math: parallel loop */
static __attribute__((noinline)) void math_3_body(int64_t begin, int64_t end, int64_t total,
                                                  float *f, double *d, int *a, long *l)
{
    f[0] = sqrtf(f[0]) + 1.0f / sqrtf(f[1]) + powf(10.0f, f[5]) * 2.0f;
    d[0] = sqrt(d[0]) + 1.0 / sqrt(d[1]) * pow(10.0, d[5]) + pow(d[4], a[0]);
    f[4] = accl_min_float(f[4], f[5]) + accl_max_float(f[6], 0.0f) + ldexpf(f[7], a[0]);
    a[0] = isnan(f[0]) + (isinf(d[0]) != 0) + isfinite(f[1]) + (signbit(d[1]) != 0);
    if (isnan(d[0]) || !isinf(f[1]))
        l[0] = lround(d[0]) + lrintf(f[0]);
    a[1] = abs(a[2]) + accl_min_int(a[3], a[4]) * accl_max_int(a[5], 7);
    l[1] = labs(l[2]) + accl_min_long(l[3], l[4]) * accl_max_long(l[5], a[0]);
}

void math_3(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    math_3_body(begin, end, total, *(float *const *)args[1], *(double *const *)args[2],
                *(int *const *)args[3], *(long *const *)args[4]);
}
