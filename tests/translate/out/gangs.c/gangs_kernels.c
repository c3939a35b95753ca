/* The kernels of gangs.c, parallel by OpenMP. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* gangs.c:10: parallel loop */
void rows_10(int n, int m, int (*restrict a)[70])
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp simd
        for (int j = 0; j < m; j++)
            a[i][j] += i - j;
    }
}

/* gangs.c:14: parallel loop */
void rows_14(int n, const int (*restrict a)[70], long *total_result)
{
    long total_ = 0;
    #pragma omp parallel for reduction(+ : total_)
    for (int i = 0; i < n; i++)
        total_ += a[i][i % 70];
    *total_result += total_;
}
