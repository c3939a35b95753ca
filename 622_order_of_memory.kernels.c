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

typedef struct account {
    long sum;
    int count;
} account;

static inline void accl_fence(void)
{
    __sync_synchronize();
}

static void lock(int *held)
{
    int before = 1;
    while (before) {
        before = __atomic_exchange_n(held, 1, __ATOMIC_RELAXED);
        accl_fence();
    }
}

static void unlock(int *held)
{
    accl_fence();
    __atomic_store_n(held, 0, __ATOMIC_RELAXED);
}

/* tests/conformance/omp/622_order_of_memory.c:36: parallel loop */
static inline __attribute__((always_inline)) void main_36_u316b3b45703956da_body(int64_t begin,
                                                                                 int64_t end,
                                                                                 int64_t total,
                                                                                 int *held_2,
                                                                                 account *account_2)
{
    int first = begin;
    int end_ = end;
    ACCL_INDEPENDENT
    for (int i = first; i < end_; i++) {
        lock(held_2);
        account_2->sum += i;
        account_2->count++;
        unlock(held_2);
    }
}

ACCL_TWICE(main_36_u316b3b45703956da, , "avx2", (int64_t begin, int64_t end, int64_t total,
                                                 int *held_2, account *account_2),
           (begin, end, total, held_2, account_2))

void main_36_u316b3b45703956da(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(main_36_u316b3b45703956da, (begin, end, total, *(int *const *)args[0],
                                         *(account *const *)args[1]));
}

/* tests/conformance/omp/622_order_of_memory.c:47: parallel loop */
static inline __attribute__((always_inline)) void main_47_u316b3b45703956da_body(int64_t begin,
                                                                                 int64_t end,
                                                                                 int64_t total,
                                                                                 int *filled_2,
                                                                                 int *ready_2)
{
    int first = begin;
    int end_ = end;
    ACCL_INDEPENDENT
    for (int i_2 = first; i_2 < end_; i_2++) {
        filled_2[i_2] = 3 * i_2;
        accl_fence();
        __atomic_store_n(&ready_2[i_2], 1, __ATOMIC_RELAXED);
    }
}

ACCL_TWICE(main_47_u316b3b45703956da, , "avx2", (int64_t begin, int64_t end, int64_t total,
                                                 int *filled_2, int *ready_2),
           (begin, end, total, filled_2, ready_2))

void main_47_u316b3b45703956da(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(main_47_u316b3b45703956da, (begin, end, total, *(int *const *)args[0],
                                         *(int *const *)args[1]));
}

/* tests/conformance/omp/622_order_of_memory.c:54: parallel loop */
static inline __attribute__((always_inline)) void main_54_u316b3b45703956da_body(int64_t begin,
                                                                                 int64_t end,
                                                                                 int64_t total,
                                                                                 const int *ready_2,
                                                                                 const int *filled_2,
                                                                                 int *seen_2)
{
    int first = begin;
    int end_ = end;
    ACCL_INDEPENDENT
    for (int i_3 = first; i_3 < end_; i_3++) {
        int is_ready;
        accl_fence();
        is_ready = __atomic_load_n(&ready_2[i_3], __ATOMIC_RELAXED);
        accl_fence();
        accl_fence();
        seen_2[i_3] = is_ready ? filled_2[i_3] : -1;
    }
}

ACCL_TWICE(main_54_u316b3b45703956da, , "avx2", (int64_t begin, int64_t end, int64_t total,
                                                 const int *ready_2, const int *filled_2,
                                                 int *seen_2),
           (begin, end, total, ready_2, filled_2, seen_2))

void main_54_u316b3b45703956da(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(main_54_u316b3b45703956da, (begin, end, total, *(const int *const *)args[0],
                                         *(const int *const *)args[1], *(int *const *)args[2]));
}

/* tests/conformance/omp/622_order_of_memory.c:66: parallel loop */
static inline __attribute__((always_inline)) void main_66_u316b3b45703956da_body(int64_t begin,
                                                                                 int64_t end,
                                                                                 int64_t total,
                                                                                 int *bins_2)
{
    int first = begin;
    int end_ = end;
    ACCL_INDEPENDENT
    for (int i_4 = first; i_4 < end_; i_4++) {
        accl_fence();
        __atomic_fetch_add(&bins_2[i_4 % 16], 1, __ATOMIC_RELAXED);
        accl_fence();
    }
}

ACCL_TWICE(main_66_u316b3b45703956da, , "avx2", (int64_t begin, int64_t end, int64_t total,
                                                 int *bins_2),
           (begin, end, total, bins_2))

void main_66_u316b3b45703956da(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    ACCL_RUN(main_66_u316b3b45703956da, (begin, end, total, *(int *const *)args[0]));
}
