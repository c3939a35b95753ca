/* The kernels of saxpy.c, parallel by OpenMP. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* saxpy.c:10: parallel loop */
void saxpy_10(int n, float a, const float *restrict x, float *restrict y)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

/* saxpy.c:27: parallel loop */
void main_27(const float *restrict y, double *sum_result)
{
    double sum = 0.0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += y[i];
    *sum_result += sum;
}
