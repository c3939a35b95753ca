// Inner bounds read from an array on the device, as in compressed sparse rows; some rows are empty.
// expect: launches=2 uploads=8 downloads=2
#include <stdlib.h>
#include "check.h"

static void product(int rows, const int *restrict begin, const int *restrict column,
                    const double *restrict value, const double *restrict x, double *restrict y, int nonzeros)
{
#pragma acc parallel loop gang vector copyin(begin[:rows + 1], column[:nonzeros], value[:nonzeros]) \
    copyin(x[:rows]) copyout(y[:rows])
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int k = begin[i]; k < begin[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

static void product_by_gangs(int rows, const int *restrict begin, const int *restrict column,
                             const double *restrict value, const double *restrict x,
                             double *restrict y, int nonzeros)
{
#pragma acc parallel loop gang copyin(begin[:rows + 1], column[:nonzeros], value[:nonzeros]) \
    copyin(x[:rows]) copyout(y[:rows]) vector_length(32)
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
#pragma acc loop vector reduction(+ : sum)
        for (int k = begin[i]; k < begin[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

int main(void)
{
    enum { ROWS = 143, MOST = 50 };
    int begin[ROWS + 1] = {0}, *column = malloc(ROWS * MOST * sizeof *column);
    double *value = malloc(ROWS * MOST * sizeof *value), x[ROWS], y[ROWS], z[ROWS];
    for (int i = 0, k = 0; i < ROWS; i++) {
        x[i] = 1.0 + i % 3;
        for (int j = 0; j < (i * 7) % MOST; j++, k++) {
            column[k] = (i + j * 5) % ROWS;
            value[k] = 0.5 * j - i;
        }
        begin[i + 1] = k;
    }
    product(ROWS, begin, column, value, x, y, begin[ROWS]);
    product_by_gangs(ROWS, begin, column, value, x, z, begin[ROWS]);
    for (int i = 0; i < ROWS; i++) {
        double sum = 0.0;
        for (int k = begin[i]; k < begin[i + 1]; k++)
            sum += value[k] * x[column[k]];
        check_near("y", i, y[i], sum, 1e-13);
        check_near("z", i, z[i], sum, 1e-13);
    }
    free(column);
    free(value);
    return finish();
}
