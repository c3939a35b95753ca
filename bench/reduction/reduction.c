/* A sum in OpenACC, by its clause. */
#include "reduction.h"

static int reduction(int n, int *restrict numbers, bench_timer *t)
{
    int sum = 0;
#pragma acc data copyin(numbers[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            sum = 0;
#pragma acc parallel loop reduction(+:sum)
            for (int i = 0; i < n; i++)
                sum += numbers[i];
        }
    }
    return sum;
}
