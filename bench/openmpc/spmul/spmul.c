/* SPMUL for a CPU: rows shared by threads, the sum private to each. */
#define FRAME_MAIN
#include "spmul.h"

static void multiply(double *to, double *from, double *val, int *begin, int *col, int many)
{
    int i, j;
    double temp;
#pragma omp parallel for private(i, j, temp) shared(to, from, val, begin, col)
    for (i = 0; i < many; i++) {
        temp = 0.0;
        for (j = begin[i]; j < begin[i + 1]; j++)
            temp = temp + val[j] * from[col[j]];
        to[i] = temp;
    }
}

void compute(void)
{
    int step, i;
    for (step = 0; step < steps; step++) {
        multiply(y, x, value, start, column, rows);
#pragma omp parallel for
        for (i = 0; i < rows; i++)
            x[i] = y[i];
    }
}
