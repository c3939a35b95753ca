/* The kernels of steps.c, parallel by OpenMP. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* steps.c:22: kernels */
void steps_22(const double (*restrict now)[40], double (*restrict next)[40])
{
    #pragma omp parallel for
    for (int i = 1; i < 40 - 1; i++) {
        #pragma omp simd
        for (int j = 1; j < 40 - 1; j++)
            next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
    }
}

/* steps.c:26: kernels */
void steps_26(const double (*restrict next)[40], double (*restrict now)[40], double *largest_result)
{
    double largest = -INFINITY;
    #pragma omp parallel for reduction(max : largest)
    for (int i = 1; i < 40 - 1; i++) {
        #pragma omp simd reduction(max : largest)
        for (int j = 1; j < 40 - 1; j++) {
            double change = next[i][j] - now[i][j];
            largest = change > largest ? change : largest;
            now[i][j] = next[i][j];
        }
    }
    *largest_result = fmax(*largest_result, largest);
}

/* steps.c:41: parallel loop */
void macros_41(double *restrict heat)
{
    #pragma omp parallel for
    for (int i = 0; i < 40; i++)
        heat[i] = i;
}

/* steps.c:44: parallel loop */
void macros_44(double (*restrict now)[40])
{
    #pragma omp parallel for
    for (int i = 0; i < 40; i++) {
        #pragma omp simd
        for (int j = 0; j < 40; j++) {
            now[i][j] = i * j % 7;
            if (j == 0)
                now[i][j] = 9.0;
        }
    }
}

/* steps.c:51: parallel */
void macros_51(double *restrict heat)
{
    #pragma omp parallel for
    for (int i = 0; i < 40; i++)
        heat[i] += 1.0;
}
