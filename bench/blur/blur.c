/* A weighted sum around each pixel in OpenACC. */
#include "blur.h"

static void blur(int n, const float *restrict a, const float *restrict weights, float *restrict b, bench_timer *t)
{
#pragma acc data copyin(a[:n * n], weights[:SIDE * SIDE]) copy(b[:n * n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop collapse(2) async(1)
#pragma omp parallel for
            for (int i = REACH; i < n - REACH; i++)
                for (int j = REACH; j < n - REACH; j++) {
                    float sum = 0.0f;
                    for (int y = -REACH; y <= REACH; y++)
                        for (int x = -REACH; x <= REACH; x++)
                            sum += weights[(y + REACH) * SIDE + x + REACH] * a[(i + y) * n + j + x];
                    b[i * n + j] = sum;
                }
        }
#pragma acc wait
    }
}
