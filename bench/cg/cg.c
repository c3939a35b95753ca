/* Conjugate gradients in OpenACC: a row a thread in the sparse product, two dot products a step
 * whose results the host turns into the next factors. */
#include "cg.h"

static void product(int rows, int nonzeros, const int *restrict begin, const int *restrict column,
                    const double *restrict value, const double *restrict p, double *restrict q)
{
#pragma acc parallel loop gang vector present(begin[:rows + 1], column[:nonzeros]) \
    present(value[:nonzeros], p[:rows], q[:rows]) async(1)
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
#pragma acc loop seq
        for (int k = begin[i]; k < begin[i + 1]; k++)
            sum += value[k] * p[column[k]];
        q[i] = sum;
    }
}

static double dot(int n, const double *restrict x, const double *restrict y)
{
    double sum = 0.0;
#pragma acc parallel loop present(x[:n], y[:n]) reduction(+ : sum) async(1)
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
#pragma acc wait(1)
    return sum;
}

/* y = a x + b y */
static void combine(int n, double a, const double *restrict x, double b, double *restrict y)
{
#pragma acc parallel loop present(x[:n], y[:n]) async(1)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + b * y[i];
}

static double cg(matrix a, int steps, const double *restrict b, double *restrict x, bench_timer *t)
{
    const int rows = a.rows, nonzeros = a.nonzeros, *begin = a.begin, *column = a.column;
    const double *value = a.value;
    double *r = bench_alloc(rows, sizeof *r), *p = bench_alloc(rows, sizeof *p);
    double *q = bench_alloc(rows, sizeof *q);
    double rho = 0.0;
#pragma acc data copyin(begin[:rows + 1], column[:nonzeros], value[:nonzeros], b[:rows]) \
    copyout(x[:rows]) create(r[:rows], p[:rows], q[:rows])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (int i = 0; i < rows; i++) {
                x[i] = 0.0;
                r[i] = b[i];
                p[i] = b[i];
            }
            rho = dot(rows, r, r);
            for (int step = 0; step < steps; step++) {
                product(rows, nonzeros, begin, column, value, p, q);
                double alpha = rho / dot(rows, p, q);
                combine(rows, alpha, p, 1.0, x);
                combine(rows, -alpha, q, 1.0, r);
                double next = dot(rows, r, r);
                combine(rows, 1.0, r, next / rho, p);
                rho = next;
            }
        }
#pragma acc wait
    }
    free(r);
    free(p);
    free(q);
    return rho;
}
