/* The largest element of each row with its place, in OpenACC. No directive speaks of the loop through the row. */
#include "argmax.h"

static void argmax(int n, int m, const float *restrict a, float *restrict most, int *restrict place, bench_timer *t)
{
#pragma acc data copyin(a[:n * m]) copyout(most[:n], place[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                float best = -INFINITY;
                int at = -1;
                for (int j = 0; j < m; j++)
                    if (a[i * m + j] > best) {
                        best = a[i * m + j];
                        at = j;
                    }
                most[i] = best;
                place[i] = at;
            }
        }
#pragma acc wait
    }
}
