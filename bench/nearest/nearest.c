/* Distances from an array of structures in OpenACC. */
#include "nearest.h"

#ifdef COMPRESSED
#define HELD compression(layout(COMPRESSED): records)
#else
#define HELD
#endif

static void nearest(int n, const record *restrict records, float latitude, float longitude, float *restrict distance,
                    bench_timer *t)
{
#ifdef COMPRESSED
#pragma acc data ccopyin(layout(COMPRESSED): records[:n:-180:180]) copyout(distance[:n])
#else
#pragma acc data copyin(records[:n]) copyout(distance[:n])
#endif
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop gang vector HELD async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                float y = records[i].latitude - latitude;
                float x = records[i].longitude - longitude;
                distance[i] = sqrtf(x * x + y * y);
            }
        }
#pragma acc wait
    }
}
