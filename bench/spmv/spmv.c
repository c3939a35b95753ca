/* A sparse product in OpenACC: a gang for a row, vector lanes for its elements, however many there are. */
#include "spmv.h"

static void product(int rows, int nonzeros, const int *restrict begin, const int *restrict column,
                    const double *restrict value, const double *restrict x, double *restrict y)
{
#ifdef UNMARKED
#pragma acc parallel loop present(begin[:rows + 1], column[:nonzeros], value[:nonzeros]) \
    present(x[:rows], y[:rows]) async(1)
#else
#pragma acc parallel loop gang present(begin[:rows + 1], column[:nonzeros], value[:nonzeros]) \
    present(x[:rows], y[:rows]) async(1)
#endif
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
#ifndef UNMARKED
#pragma acc loop vector reduction(+ : sum)
#endif
        for (int k = begin[i]; k < begin[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

static void spmv(matrix a, const double *restrict x, double *restrict y, bench_timer *t)
{
    const int rows = a.rows, nonzeros = a.nonzeros, *begin = a.begin, *column = a.column;
    const double *value = a.value;
#pragma acc data copyin(begin[:rows + 1], column[:nonzeros], value[:nonzeros], x[:rows]) \
    copyout(y[:rows])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            product(rows, nonzeros, begin, column, value, x, y);
#pragma acc wait
    }
}
