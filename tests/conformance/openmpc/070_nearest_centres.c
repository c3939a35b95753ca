// Points in rows, the nearest of a few centres found by functions, and sums of each centre's points by the thread's number: lanes share a
// point's row in all loops through it, and blocks aggregate what they add to the sums.
// flags: -gpu=nohostloops
// expect: launches=6
#include "../check.h"
#include <float.h>
#include <omp.h>
#include <stdlib.h>

static float distance(float *a, float *b, int n)
{
    int i;
    float sum = 0.0;
    for (i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

static int nearest(float *point, int n, float **centres, int count)
{
    int index = 0, i;
    float least = FLT_MAX;
    for (i = 0; i < count; i++) {
        float d = distance(point, centres[i], n);
        if (d < least) {
            least = d;
            index = i;
        }
    }
    return index;
}

static float **rows(int count, int n)
{
    float **all = malloc(count * sizeof *all);
    all[0] = calloc((size_t)count * n, sizeof **all);
    for (int i = 1; i < count; i++)
        all[i] = all[i - 1] + n;
    return all;
}

static void clusters_of(int points, int features, int clusters)
{
    int i, j, index, threads = omp_get_max_threads();
    float **point = rows(points, features), **centre = rows(clusters, features), changed = 0;
    int *member = malloc(points * sizeof *member), **counts = malloc(threads * sizeof *counts);
    float ***sums = malloc(threads * sizeof *sums);
    for (i = 0; i < points; i++)
        for (j = 0; j < features; j++)
            point[i][j] = (float)((i * 37 + j * 11) % 64) + i % clusters * 100;
    for (i = 0; i < clusters; i++)
        for (j = 0; j < features; j++)
            centre[i][j] = (float)(i * 100 + j % 32);
    for (i = 0; i < threads; i++) {
        counts[i] = calloc(clusters, sizeof(int));
        sums[i] = rows(clusters, features);
    }
    for (int step = 0; step < 3; step++) {
        changed = 0;
        for (i = 0; i < points; i++)
            member[i] = -(i % 2);
#pragma omp parallel shared(point, centre, member, sums, counts)
        {
            int tid = omp_get_thread_num();
#pragma omp for private(i, j, index) firstprivate(points, clusters, features) schedule(static) reduction(+ : changed)
            for (i = 0; i < points; i++) {
                index = nearest(point[i], features, centre, clusters);
                if (member[i] != index)
                    changed += 1;
                member[i] = index;
                counts[tid][index]++;
                for (j = 0; j < features; j++)
                    sums[tid][index][j] += point[i][j];
            }
        }
    }
    int expected_changes = 0;
    for (i = 0; i < points; i++) {
        int expected = nearest(point[i], features, centre, clusters);
        check_int("member", i, member[i], expected);
        expected_changes += -(i % 2) != expected;
    }
    check_near("changed", points, changed, expected_changes, 0);
    for (int k = 0; k < clusters; k++)
        for (j = 0; j < features; j++) {
            double sum = 0, expected = 0;
            int count = 0, expected_count = 0;
            for (i = 0; i < threads; i++) {
                sum += sums[i][k][j];
                count += counts[i][k];
            }
            for (i = 0; i < points; i++)
                if (member[i] == k) {
                    expected += 3 * point[i][j];
                    expected_count += 3;
                }
            check_int("count", k, count, expected_count);
            check_near("sum", k * features + j, sum, expected, 1e-4);
        }
}

int main(void)
{
    clusters_of(5000, 34, 5);
    clusters_of(300, 3, 4);
    return finish();
}
