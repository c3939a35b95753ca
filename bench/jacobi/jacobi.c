/* Jacobi relaxation in OpenACC: two kernels a step, and a reduction the host waits for. */
#include "jacobi.h"

static double jacobi(int n, int steps, const double *restrict start, double *restrict a,
                     bench_timer *t)
{
    const int m = n + 2;
    double *restrict b = bench_alloc((size_t)m * m, sizeof *b);
    double change = 0.0;
#pragma acc data copyin(start[:m * m]) copyout(a[:m * m]) create(b[:m * m])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop
#pragma omp parallel for
            for (int i = 0; i < m * m; i++)
                a[i] = start[i];
            change = 1.0;
            for (int step = 0; step < steps && change > JACOBI_TOLERANCE; step++) {
                change = 0.0;
#pragma acc parallel loop collapse(2) reduction(max : change)
#pragma omp parallel for collapse(2) reduction(max : change)
                for (int i = 1; i <= n; i++)
                    for (int j = 1; j <= n; j++) {
                        b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] +
                                               a[i * m + j - 1] + a[i * m + j + 1]);
                        change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
                    }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for collapse(2)
                for (int i = 1; i <= n; i++)
                    for (int j = 1; j <= n; j++)
                        a[i * m + j] = b[i * m + j];
            }
        }
#pragma acc wait
    }
    free(b);
    return change;
}
