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

/* saxpy: parallel loop */
void saxpy_3(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    float a = *(const float *)args[1];
    const float *x = *(const float *const *)args[2];
    float *y = *(float *const *)args[3];

    ACCL_INDEPENDENT
    for (long i = begin; i < end; i++)
        y[i] = a * x[i] + y[i];
}
