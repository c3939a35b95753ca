/* JACOBI for a CPU: static arrays, and a parallel region in each step. */
#define FRAME_MAIN
#include "jacobi.h"

void compute(void)
{
    int i, j, k;
    for (k = 0; k < steps; k++) {
#pragma omp parallel private(i, j)
        {
#pragma omp for
            for (i = 1; i <= n; i++)
                for (j = 1; j <= n; j++)
                    a[i][j] = (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]) / 4.0f;
#pragma omp for
            for (i = 1; i <= n; i++)
                for (j = 1; j <= n; j++)
                    b[i][j] = a[i][j];
        }
    }
}
