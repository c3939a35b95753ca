/* Tridiagonal solves along x in OpenACC: a line a thread, whose elements lie one behind the other. */
#include "lines.h"

static void solve(int n, const double *restrict diagonal, const double *restrict right, double *restrict factor,
                  double *restrict u)
{
#pragma acc parallel loop collapse(2) present(diagonal[:n * n * n], right[:n * n * n]) \
    present(factor[:n * n * n], u[:n * n * n]) async(1)
#pragma omp parallel for collapse(2)
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++) {
            int line = (z * n + y) * n;
            double above = 0.0, before = 0.0;
#pragma acc loop seq
            for (int x = 0; x < n; x++) {
                above = 1.0 / (diagonal[line + x] - above);
                before = (right[line + x] + before) * above;
                factor[line + x] = above;
                u[line + x] = before;
            }
            double after = 0.0;
#pragma acc loop seq
            for (int x = n - 1; x >= 0; x--) {
                after = u[line + x] + factor[line + x] * after;
                u[line + x] = after;
            }
        }
}

static void lines(int n, const double *restrict diagonal, const double *restrict right, double *restrict u,
                  bench_timer *t)
{
    const int elements = n * n * n;
    double *factor = bench_alloc(elements, sizeof *factor);
#pragma acc data copyin(diagonal[:elements], right[:elements]) copyout(u[:elements]) create(factor[:elements])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            solve(n, diagonal, right, factor, u);
#pragma acc wait
    }
    free(factor);
}
