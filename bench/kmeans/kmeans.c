/* Clustering in OpenACC: the nearest center of each point with a count of changes, sums of the
 * points of each cluster by atomics, then the new centers. */
#include "kmeans.h"

static double sum[CLUSTERS][FEATURES];
static int count[CLUSTERS];

static int assign(int n, const float *restrict point, const float *restrict center,
                  int *restrict member)
{
    int changed = 0;
#pragma acc parallel loop gang vector reduction(+ : changed) async(1) \
    present(point[:FEATURES * n], center[:CLUSTERS * FEATURES], member[:n])
#pragma omp parallel for reduction(+ : changed)
    for (int i = 0; i < n; i++) {
        int nearest = 0;
        float least = INFINITY, mine[FEATURES];
        for (int f = 0; f < FEATURES; f++)
            mine[f] = point[f * n + i];
        for (int c = 0; c < CLUSTERS; c++) {
            float distance = 0.0f;
            for (int f = 0; f < FEATURES; f++) {
                float d = mine[f] - center[c * FEATURES + f];
                distance += d * d;
            }
            if (distance < least) {
                least = distance;
                nearest = c;
            }
        }
        if (member[i] != nearest)
            changed++;
        member[i] = nearest;
    }
#pragma acc wait(1)
    return changed;
}

static void add_up(int n, const float *restrict point, const int *restrict member)
{
#pragma acc parallel loop collapse(2) present(sum, count) async(1)
#pragma omp parallel for collapse(2)
    for (int c = 0; c < CLUSTERS; c++)
        for (int f = 0; f < FEATURES; f++) {
            sum[c][f] = 0.0;
            if (f == 0)
                count[c] = 0;
        }
#pragma acc parallel loop gang vector async(1) \
    present(point[:FEATURES * n], member[:n], sum, count)
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int c = member[i];
#pragma acc atomic update
#pragma omp atomic update
        count[c]++;
        for (int f = 0; f < FEATURES; f++) {
#pragma acc atomic update
#pragma omp atomic update
            sum[c][f] += point[f * n + i];
        }
    }
}

static int kmeans(int n, int steps, const float *restrict point, float *restrict center,
                  bench_timer *t)
{
    int *restrict member = bench_alloc(n, sizeof *member);
    int changed = 0;
#pragma acc data copyin(point[:FEATURES * n]) copyout(center[:CLUSTERS * FEATURES]) \
    create(member[:n], sum, count)
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                member[i] = -1;
#pragma acc parallel loop collapse(2) async(1)
#pragma omp parallel for collapse(2)
            for (int c = 0; c < CLUSTERS; c++)
                for (int f = 0; f < FEATURES; f++)
                    center[c * FEATURES + f] = point[f * n + c];
            for (int step = 0; step < steps; step++) {
                changed = assign(n, point, center, member);
                add_up(n, point, member);
#pragma acc parallel loop collapse(2) async(1)
#pragma omp parallel for collapse(2)
                for (int c = 0; c < CLUSTERS; c++)
                    for (int f = 0; f < FEATURES; f++)
                        if (count[c] > 0)
                            center[c * FEATURES + f] = (float)(sum[c][f] / count[c]);
            }
        }
#pragma acc wait
    }
    free(member);
    return changed;
}
