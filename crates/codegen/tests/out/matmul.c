#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* No iteration of the loop that follows depends on another. */
#ifdef __clang__
#define ACCL_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ACCL_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* matmul: parallel loop */
void matmul_7(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    int n = *(const int *)args[0];
    const float *restrict a = *(const float *const *)args[1];
    const float *restrict b = *(const float *const *)args[2];
    float *restrict c = *(float *const *)args[3];

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
