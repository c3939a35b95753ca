#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* No iteration of the loop that follows depends on another. */
#ifdef __clang__
#define ACCL_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
/* clang takes that for an order to use vectors, which run all branches, and access their arrays one element at a time. */
#define ACCL_INDEPENDENT_BRANCHES
#else
#define ACCL_INDEPENDENT _Pragma("GCC ivdep")
#define ACCL_INDEPENDENT_BRANCHES ACCL_INDEPENDENT
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

/* saxpy: parallel loop */
static inline __attribute__((always_inline)) void saxpy_3_body(int64_t begin, int64_t end,
                                                               int64_t total, float a,
                                                               const float *x, float *y)
{
    ACCL_INDEPENDENT
    for (long i = begin; i < end; i++)
        y[i] = a * x[i] + y[i];
}

ACCL_TWICE(saxpy_3, , "avx2", (int64_t begin, int64_t end, int64_t total, float a, const float *x,
                               float *y),
           (begin, end, total, a, x, y))

void saxpy_3(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(saxpy_3, (begin, end, total, *(const float *)args[1], *(const float *const *)args[2],
                       *(float *const *)args[3]));
}
