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

/* saxpy: parallel loop */
static __attribute__((noinline)) void saxpy_3_body(int64_t begin, int64_t end, int64_t total,
                                                   float a, const float *x, float *y)
{
    ACCL_INDEPENDENT
    for (long i = begin; i < end; i++)
        y[i] = a * x[i] + y[i];
}

void saxpy_3(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    saxpy_3_body(begin, end, total, *(const float *)args[1], *(const float *const *)args[2],
                 *(float *const *)args[3]);
}
