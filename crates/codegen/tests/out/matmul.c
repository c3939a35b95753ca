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

/* matmul: parallel loop */
static inline __attribute__((always_inline)) void matmul_7_body(int64_t begin, int64_t end,
                                                                int64_t total, int n,
                                                                const float *restrict a,
                                                                const float *restrict b,
                                                                float *restrict c)
{
    for (int i = begin; i < (int)end; i++) {
        ACCL_INDEPENDENT
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    }
}

ACCL_TWICE(matmul_7, , "avx2", (int64_t begin, int64_t end, int64_t total, int n,
                                const float *restrict a, const float *restrict b,
                                float *restrict c),
           (begin, end, total, n, a, b, c))

void matmul_7(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(matmul_7, (begin, end, total, *(const int *)args[0], *(const float *const *)args[1],
                        *(const float *const *)args[2], *(float *const *)args[3]));
}
