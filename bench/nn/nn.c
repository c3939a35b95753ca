/* Nearest neighbours in OpenACC: distances from an array of structures, then, for each rank, the
 * least distance, the first record that has it, and that record struck out. */
#include "nn.h"

static void nearest(int n, const record *restrict records, float latitude, float longitude,
                    int index[NEAREST], float distance[NEAREST], bench_timer *t)
{
    float *restrict away = bench_alloc(n, sizeof *away);
#pragma acc data copyin(records[:n]) create(away[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                float dy = records[i].latitude - latitude;
                float dx = records[i].longitude - longitude;
                away[i] = sqrtf(dx * dx + dy * dy);
            }
            for (int k = 0; k < NEAREST; k++) {
                float least = INFINITY;
                int first = n;
#pragma acc parallel loop reduction(min : least) async(1)
#pragma omp parallel for reduction(min : least)
                for (int i = 0; i < n; i++)
                    least = fminf(least, away[i]);
#pragma acc wait(1)
#pragma acc parallel loop reduction(min : first) async(1)
#pragma omp parallel for reduction(min : first)
                for (int i = 0; i < n; i++)
                    if (away[i] == least && i < first)
                        first = i;
#pragma acc wait(1)
#pragma acc serial async(1)
                away[first] = INFINITY;
                index[k] = first;
                distance[k] = least;
            }
        }
#pragma acc wait
    }
    free(away);
}
