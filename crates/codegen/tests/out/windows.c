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

/* Copies of rows of a few elements, as a block has, are no work for a function. */
#ifdef __clang__
#define ACCL_KEEPS __attribute__((no_builtin("memcpy", "memmove", "memset")))
#else
#define ACCL_KEEPS
#endif

static inline long accl_min_long(long a, long b)
{
    return a < b ? a : b;
}

static inline long accl_max_long(long a, long b)
{
    return a > b ? a : b;
}

/* smooth: parallel loop */
ACCL_KEEPS static inline __attribute__((always_inline)) void smooth_kernel_body(int64_t begin,
                                                                                int64_t end,
                                                                                int64_t total,
                                                                                int n, int r,
                                                                                const float *restrict a,
                                                                                double *restrict b,
                                                                                long b_first,
                                                                                long b_end)
{
    for (long first = (begin + 63) / 64 * 64; first < end; first += 64) {
        int i_base = first;
        double b_window[r + 64];
        int wrote_of[64];
        int b_begin = i_base;
        ACCL_INDEPENDENT
        for (int thread = 0; thread < 64; thread++) {
            int wrote = wrote_of[thread];
            wrote = 0;
            wrote_of[thread] = wrote;
        }
        {
            long middle = accl_min_long(accl_max_long(0, 0 - (long)b_begin + b_first), r + 64);
            long ends = accl_max_long(accl_min_long(r + 64, b_end - b_first - b_begin + b_first), middle);
            for (int w_2 = 0; w_2 < (int)middle; w_2++)
                b_window[w_2] = (unsigned long)(b_begin + w_2 - b_first) < b_end - b_first ? b[b_begin + w_2] : 0.0;
            ACCL_INDEPENDENT
            for (int w_3 = middle; w_3 < (int)ends; w_3++)
                b_window[w_3] = b[b_begin + w_3];
            for (int w_4 = ends; w_4 < r + 64; w_4++)
                b_window[w_4] = (unsigned long)(b_begin + w_4 - b_first) < b_end - b_first ? b[b_begin + w_4] : 0.0;
        }
        {
            long middle_2 = accl_min_long(0, 64);
            long ends_2 = accl_max_long(accl_min_long(64, (long)n - i_base), middle_2);
            for (int thread_2_2 = 0; thread_2_2 < (int)middle_2; thread_2_2++) {
                int i_2 = i_base + thread_2_2;
                int wrote_2 = wrote_of[thread_2_2];
                if (i_2 < n) {
                    b_window[i_2 - b_begin] += a[i_2 - r];
                    wrote_2 = 1;
                }
                wrote_of[thread_2_2] = wrote_2;
            }
            ACCL_INDEPENDENT
            for (int thread_2_3 = middle_2; thread_2_3 < (int)ends_2; thread_2_3++) {
                int i_3 = i_base + thread_2_3;
                int wrote_3 = wrote_of[thread_2_3];
                b_window[i_3 - b_begin] += a[i_3 - r];
                wrote_3 = 1;
                wrote_of[thread_2_3] = wrote_3;
            }
            for (int thread_2_4 = ends_2; thread_2_4 < 64; thread_2_4++) {
                int i_4 = i_base + thread_2_4;
                int wrote_4 = wrote_of[thread_2_4];
                if (i_4 < n) {
                    b_window[i_4 - b_begin] += a[i_4 - r];
                    wrote_4 = 1;
                }
                wrote_of[thread_2_4] = wrote_4;
            }
        }
        {
            long middle_3 = accl_min_long(0, 64);
            long ends_3 = accl_max_long(accl_min_long(64, (long)n - i_base), middle_3);
            for (int thread_3_2 = 0; thread_3_2 < (int)middle_3; thread_3_2++) {
                int i_5 = i_base + thread_3_2;
                int wrote_5 = wrote_of[thread_3_2];
                if (i_5 < n && wrote_5)
                    b[i_5] = b_window[i_5 - b_begin];
            }
            ACCL_INDEPENDENT_BRANCHES
            for (int thread_3_3 = middle_3; thread_3_3 < (int)ends_3; thread_3_3++) {
                int i_6 = i_base + thread_3_3;
                int wrote_6 = wrote_of[thread_3_3];
                if (wrote_6)
                    b[i_6] = b_window[i_6 - b_begin];
            }
            for (int thread_3_4 = ends_3; thread_3_4 < 64; thread_3_4++) {
                int i_7 = i_base + thread_3_4;
                int wrote_7 = wrote_of[thread_3_4];
                if (i_7 < n && wrote_7)
                    b[i_7] = b_window[i_7 - b_begin];
            }
        }
    }
}

ACCL_TWICE(smooth_kernel, ACCL_KEEPS, "avx2", (int64_t begin, int64_t end, int64_t total, int n,
                                               int r, const float *restrict a, double *restrict b,
                                               long b_first, long b_end),
           (begin, end, total, n, r, a, b, b_first, b_end))

void smooth_kernel(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(smooth_kernel, (begin, end, total, *(const int *)args[0], *(const int *)args[1],
                             *(const float *const *)args[2], *(double *const *)args[3],
                             *(const long *)args[6], *(const long *)args[7]));
}
