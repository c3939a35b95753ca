/* A vector times a matrix, in OpenACC: a sum for each column, of which no directive speaks but the one for the columns. */
#include "columns.h"

static void columns(int n, int m, const float *a, const float *x, float *y, bench_timer *t)
{
#pragma acc data copyin(a[:n * m], x[:n]) copyout(y[:m])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (int j = 0; j < m; j++) {
                float sum = 0.0f;
                for (int i = 0; i < n; i++)
                    sum += a[i * m + j] * x[i];
                y[j] = sum;
            }
        }
#pragma acc wait
    }
}
