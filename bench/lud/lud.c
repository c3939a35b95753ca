/* Factors in OpenACC: for each column a kernels region of two loops, the second over the shrinking
 * square that is left; the matrix is a pointer to rows. */
#include "lud.h"

static void eliminate(int n, int k, float (*restrict m)[n])
{
#pragma acc kernels present(m[:n]) async(1)
    {
#pragma acc loop independent
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            m[i][k] /= m[k][k];
#pragma acc loop independent collapse(2)
#pragma omp parallel for collapse(2)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                m[i][j] -= m[i][k] * m[k][j];
    }
}

static void lud(int n, const float *restrict original, float *restrict a, bench_timer *t)
{
#pragma acc data copyin(original[:n * n]) copyout(a[:n * n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (int i = 0; i < n * n; i++)
                a[i] = original[i];
            for (int k = 0; k < n - 1; k++)
                eliminate(n, k, (float(*)[n])a);
        }
#pragma acc wait
    }
}
