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

/* matmul: parallel loop */
static __attribute__((noinline)) void matmul_7_body(int64_t begin, int64_t end, int64_t total,
                                                    int n, const float *restrict a,
                                                    const float *restrict b, float *restrict c)
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

void matmul_7(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    matmul_7_body(begin, end, total, *(const int *)args[0], *(const float *const *)args[1],
                  *(const float *const *)args[2], *(float *const *)args[3]);
}
