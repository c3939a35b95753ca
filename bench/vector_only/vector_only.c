/* A polynomial of each element in OpenACC. The loop names `vector` and nothing else. */
#include "vector_only.h"

static void polynomial(int n, const double *restrict x, double *restrict y, bench_timer *t)
{
#pragma acc data copyin(x[:n]) copyout(y[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop vector async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                y[i] = POLYNOMIAL(x[i]);
        }
#pragma acc wait
    }
}
