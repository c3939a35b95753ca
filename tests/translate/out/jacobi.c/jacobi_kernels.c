/* The kernels of jacobi.c, parallel by OpenMP. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static double mean(double a, double b, double c, double d)
{
    return 0.25 * (a + b + c + d);
}

/* jacobi.c:23: parallel loop */
void step_23(int n, const double (*old)[66], double (*now)[66], double *change_result)
{
    double change = -INFINITY;
    #pragma omp parallel for reduction(max : change)
    for (int i = 1; i < n - 1; i++) {
        #pragma omp simd reduction(max : change)
        for (int j = 1; j < n - 1; j++) {
            now[i][j] = mean(old[i - 1][j], old[i + 1][j], old[i][j - 1], old[i][j + 1]);
            change = fmax(change, fabs(now[i][j] - old[i][j]));
        }
    }
    *change_result = fmax(*change_result, change);
}
