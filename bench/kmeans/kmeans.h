/* Input, check and report; kmeans.c and kmeans.cu supply the computation. */
#include "../common/bench.h"

enum { FEATURES = 16, CLUSTERS = 32 };

/* `steps` steps of k-means over n points, from the first CLUSTERS points as centers. A feature of
 * all points lies together: feature f of point i is point[f * n + i]. The centers, one after the
 * other, are left in `center`. Returns how many points changed cluster in the last step. */
static int kmeans(int n, int steps, const float *point, float *center, bench_timer *t);

static int serial(int n, int steps, const float *point, float *center)
{
    int *member = (int *)bench_alloc(n, sizeof *member), changed = 0;
    for (int i = 0; i < n; i++)
        member[i] = -1;
    for (int c = 0; c < CLUSTERS; c++)
        for (int f = 0; f < FEATURES; f++)
            center[c * FEATURES + f] = point[(size_t)f * n + c];
    for (int step = 0; step < steps; step++) {
        static double sum[CLUSTERS * FEATURES];
        int count[CLUSTERS] = {0};
        memset(sum, 0, sizeof sum);
        changed = 0;
        for (int i = 0; i < n; i++) {
            int nearest = 0;
            float least = INFINITY, mine[FEATURES];
            for (int f = 0; f < FEATURES; f++)
                mine[f] = point[(size_t)f * n + i];
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
            changed += member[i] != nearest;
            member[i] = nearest;
            count[nearest]++;
            for (int f = 0; f < FEATURES; f++)
                sum[nearest * FEATURES + f] += mine[f];
        }
        for (int c = 0; c < CLUSTERS; c++)
            if (count[c] > 0)
                for (int f = 0; f < FEATURES; f++)
                    center[c * FEATURES + f] = (float)(sum[c * FEATURES + f] / count[c]);
    }
    free(member);
    return changed;
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 100000);
    int steps = bench_arg(argc, argv, 2, 5);
    int reps = bench_arg(argc, argv, 3, 1);
    if (n < CLUSTERS) {
        fprintf(stderr, "at least %d points\n", CLUSTERS);
        return 2;
    }
    float *point = (float *)bench_alloc((size_t)n * FEATURES, sizeof *point);
    float center[CLUSTERS * FEATURES], expected[CLUSTERS * FEATURES];
    uint64_t seed = 1;
    /* Clouds around CLUSTERS places, wide enough to overlap. */
    float place[CLUSTERS * FEATURES];
    bench_fill_float(place, CLUSTERS * FEATURES, 2, 1.0, 9.0);
    for (int i = 0; i < n; i++) {
        int c = bench_below(&seed, CLUSTERS);
        for (int f = 0; f < FEATURES; f++)
            point[(size_t)f * n + i] =
                place[c * FEATURES + f] + (float)bench_uniform(&seed, -2.5, 2.5);
    }

    bench_timer kernel = bench_timer_many(reps);
    kmeans(n, steps, point, center, &kernel);
    memset(center, 0, sizeof center);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    int changed = kmeans(n, steps, point, center, &once);
    double app_ms = bench_now_ms() - start;

    /* A point as near to one center as to another may go to either, so that counts differ a little. */
    int want = serial(n, steps, point, expected);
    double error = 1e-3 * abs(changed - want) / fmax(1.0, 1e-4 * n);
    for (int i = 0; i < CLUSTERS * FEATURES; i++)
        error = bench_worst(error, center[i], expected[i], 1.0);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", n, steps);
    int status = bench_report("kmeans", size, &kernel, app_ms, error, 1e-3);
    free(point);
    return status;
}
