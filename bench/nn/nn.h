/* Input, check and report; nn.c and nn.cu supply the computation. */
#include "../common/bench.h"

enum { NEAREST = 5 };

typedef struct {
    float latitude, longitude;
    int year;
    char name[8];
} record;

/* The NEAREST records around (latitude, longitude): their indices and distances, nearest first. */
static void nearest(int n, const record *records, float latitude, float longitude,
                    int index[NEAREST], float distance[NEAREST], bench_timer *t);

static double exact(const record *r, float latitude, float longitude)
{
    double dy = (double)r->latitude - latitude, dx = (double)r->longitude - longitude;
    return sqrt(dx * dx + dy * dy);
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 20);
    int reps = bench_arg(argc, argv, 2, 5);
    const float latitude = 41.5f, longitude = -12.25f;
    record *records = (record *)bench_alloc(n, sizeof *records);
    uint64_t seed = 1;
    for (int i = 0; i < n; i++) {
        records[i].latitude = (float)bench_uniform(&seed, -90.0, 90.0);
        records[i].longitude = (float)bench_uniform(&seed, -180.0, 180.0);
        records[i].year = 1950 + bench_below(&seed, 70);
        snprintf(records[i].name, sizeof records[i].name, "s%d", i % 1000000);
    }

    int index[NEAREST];
    float distance[NEAREST];
    bench_timer kernel = bench_timer_many(reps);
    nearest(n, records, latitude, longitude, index, distance, &kernel);
    memset(index, -1, sizeof index);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    nearest(n, records, latitude, longitude, index, distance, &once);
    double app_ms = bench_now_ms() - begin;

    /* Ranks by exact distance; an index may differ where two records are equally far in float. */
    double best[NEAREST];
    for (int k = 0; k < NEAREST; k++)
        best[k] = INFINITY;
    for (int i = 0; i < n; i++) {
        double d = exact(&records[i], latitude, longitude);
        for (int k = 0; k < NEAREST; k++)
            if (d < best[k]) {
                double swap = best[k];
                best[k] = d;
                d = swap;
            }
    }
    double error = 0.0;
    for (int k = 0; k < NEAREST; k++) {
        int valid = index[k] >= 0 && index[k] < n;
        for (int l = 0; l < k; l++)
            valid = valid && index[l] != index[k];
        double d = valid ? exact(&records[index[k]], latitude, longitude) : NAN;
        error = bench_worst(error, d, best[k], 1e-2);
        error = bench_worst(error, distance[k], best[k], 1e-2);
    }

    char size[32];
    snprintf(size, sizeof size, "%d", n);
    int status = bench_report("nn", size, &kernel, app_ms, error, 1e-4);
    free(records);
    return status;
}
