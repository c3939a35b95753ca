/* SPMUL in CUDA: eight threads a row, whose sum travels by shuffles. */
#define FRAME_MAIN
#include "spmul.h"

static int *dstart, *dcolumn;
static double *dvalue, *dx, *dy;

__global__ void multiply(int rows, double *to, const double *from, const double *value, const int *start, const int *column)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, i = thread / 8, lane = thread % 8;
    double sum = 0;
    if (i < rows)
        for (int k = start[i] + lane; k < start[i + 1]; k += 8)
            sum += value[k] * from[column[k]];
    for (int by = 4; by > 0; by /= 2)
        sum += __shfl_down_sync(0xFFFFFFFFu, sum, by, 8);
    if (i < rows && lane == 0)
        to[i] = sum;
}

__global__ void copy(int rows, double *x, const double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        x[i] = y[i];
}

LINKAGE void to_device(void)
{
    put(dstart, start, rows + 1);
    put(dcolumn, column, start[rows]);
    put(dvalue, value, start[rows]);
    put(dx, x, rows);
    room(dy, rows);
}

LINKAGE void compute(void)
{
    for (int step = 0; step < steps; step++) {
        multiply<<<bench_blocks(8L * rows, 256), 256>>>(rows, dy, dx, dvalue, dstart, dcolumn);
        copy<<<bench_blocks(rows, 256), 256>>>(rows, dx, dy);
    }
}

LINKAGE void from_device(void) { get(x, dx, rows); }
