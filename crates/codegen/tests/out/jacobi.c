#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline double accl_max_double(double a, double b)
{
    return a > b || b != b ? a : b;
}

/* jacobi: parallel loop */
static __attribute__((noinline)) void jacobi_20_body(int64_t begin, int64_t end, int64_t total,
                                                     int n, int m, const double *restrict a,
                                                     double *restrict b, double *change_partial)
{
    double change = -INFINITY;
    for (int i = (int)begin + 1; i < (int)end + 1; i++) {
        #pragma omp simd reduction(max : change)
        for (int j = 1; j <= n; j++) {
            b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
            change = accl_max_double(change, fabs(b[i * m + j] - a[i * m + j]));
        }
    }
    *change_partial = accl_max_double(*change_partial, change);
}

void jacobi_20(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    jacobi_20_body(begin, end, total, *(const int *)args[0], *(const int *)args[1],
                   *(const double *const *)args[2], *(double *const *)args[3],
                   *(double *const *)args[4]);
}
