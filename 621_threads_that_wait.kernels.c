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

/* tests/conformance/omp/621_threads_that_wait.c:73: parallel */
static inline __attribute__((always_inline)) void no_wait_73_ud73d6f460e69ec3b_body(int64_t begin,
                                                                                    int64_t end,
                                                                                    int64_t total,
                                                                                    const int *limit_2,
                                                                                    int *out_2)
{
    int first = begin;
    int end_ = end;
    ACCL_INDEPENDENT
    for (int thread = first; thread < end_; thread++) {
        int me = thread;
        int x = me + 1;
        int seen;
        for (;;) {
            x *= 2;
            seen = __atomic_load_n(limit_2, __ATOMIC_RELAXED);
            if (x >= seen)
                break;
        }
        while (x > *limit_2)
            x -= 7;
        out_2[me] = x;
    }
}

ACCL_TWICE(no_wait_73_ud73d6f460e69ec3b, , "avx2", (int64_t begin, int64_t end, int64_t total,
                                                    const int *limit_2, int *out_2),
           (begin, end, total, limit_2, out_2))

void no_wait_73_ud73d6f460e69ec3b(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(no_wait_73_ud73d6f460e69ec3b, (begin, end, total, *(const int *const *)args[0],
                                            *(int *const *)args[1]));
}
