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

static inline double accl_max_double(double a, double b)
{
    return a > b || b != b ? a : b;
}

/* jacobi: parallel loop */
static inline __attribute__((always_inline)) void jacobi_20_body(int64_t begin, int64_t end,
                                                                 int64_t total, int n, int m,
                                                                 const double *restrict a,
                                                                 double *restrict b,
                                                                 double *change_partial)
{
    double change = -INFINITY;
    for (int i = (int)begin + 1; i < (int)end + 1; i++) {
        #pragma omp simd reduction(max : change)
        for (int j = 1; j <= n; j++) {
            b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
            change = accl_max_double(change, fabs(b[i * m + j] - a[i * m + j]));
        }
    }
    *change_partial = accl_max_double(*change_partial, change);
}

ACCL_TWICE(jacobi_20, , "avx2", (int64_t begin, int64_t end, int64_t total, int n, int m,
                                 const double *restrict a, double *restrict b,
                                 double *change_partial),
           (begin, end, total, n, m, a, b, change_partial))

void jacobi_20(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(jacobi_20, (begin, end, total, *(const int *)args[0], *(const int *)args[1],
                         *(const double *const *)args[2], *(double *const *)args[3],
                         *(double *const *)args[4]));
}
