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

typedef struct point {
    double x;
    double y;
} point;

/* move: parallel loop */
static inline __attribute__((always_inline)) void move_4_body(int64_t begin, int64_t end,
                                                              int64_t total, double *v, point *p)
{
    int first = begin;
    int end_ = end;
    ACCL_INDEPENDENT
    for (int i = first; i < end_; i++) {
        p[i].x += v[3 * i];
        p[i].y += p[i].x;
        v[3 * i + 1] = p[i].y;
        v[3 * i + 2] = v[3 * i];
    }
}

ACCL_TWICE(move_4, , "avx2", (int64_t begin, int64_t end, int64_t total, double *v, point *p),
           (begin, end, total, v, p))

void move_4(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(move_4, (begin, end, total, *(double *const *)args[1], *(point *const *)args[2]));
}

/* move: parallel loop */
static inline __attribute__((always_inline)) void move_11_body(int64_t begin, int64_t end,
                                                               int64_t total, point *p, double *v)
{
    int first = begin;
    int end_ = end;
    for (int i_2 = first; i_2 < end_; i_2++) {
        point *q = p + i_2;
        q->x += 1.0;
        v[i_2] = p[i_2].x;
    }
}

ACCL_TWICE(move_11, , "avx2", (int64_t begin, int64_t end, int64_t total, point *p, double *v),
           (begin, end, total, p, v))

void move_11(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(move_11, (begin, end, total, *(point *const *)args[1], *(double *const *)args[2]));
}
