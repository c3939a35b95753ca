/* A sum in OpenMP, by its clause. */
#include "reduction.h"

static int reduction(int n, int *restrict numbers, bench_timer *t)
{
    int sum = 0;
#pragma omp target data map(to: numbers[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            sum = 0;
#ifdef PARTS
#pragma omp target map(tofrom: sum)
#pragma omp teams reduction(+ : sum)
#pragma omp distribute parallel for reduction(+ : sum)
#else
#pragma omp target teams distribute parallel for reduction(+ : sum)
#endif
            for (int i = 0; i < n; i++)
                sum += numbers[i];
        }
    }
    return sum;
}
