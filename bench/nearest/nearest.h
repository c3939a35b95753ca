/* Input, check and report; nearest.c and nearest.cu supply the computation. -DCOMPRESSED=soa or =aos: the records are
 * held in 16 bits a number on the device, each member in an array of its own, or side by side. */
#include "../common/bench.h"

typedef struct {
    float latitude, longitude;
} record;

/* The distances of all records from (latitude, longitude), t->reps times a round. */
static void nearest(int n, const record *records, float latitude, float longitude, float *distance, bench_timer *t);

#define STRING(x) #x
#define NAME(x) "nearest_" STRING(x)

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 20);
    int reps = bench_arg(argc, argv, 2, 10);
    const float latitude = 41.5f, longitude = -12.25f;
    record *records = (record *)bench_alloc(n, sizeof *records);
    float *distance = (float *)bench_alloc(n, sizeof *distance);
    uint64_t seed = 1;
    for (int i = 0; i < n; i++) {
        records[i].latitude = (float)bench_uniform(&seed, -90.0, 90.0);
        records[i].longitude = (float)bench_uniform(&seed, -180.0, 180.0);
    }

    bench_timer kernel = bench_timer_many(reps);
    nearest(n, records, latitude, longitude, distance, &kernel);
    memset(distance, 0, n * sizeof *distance);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    nearest(n, records, latitude, longitude, distance, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (int i = 0; i < n; i++) {
        double y = (double)records[i].latitude - latitude, x = (double)records[i].longitude - longitude;
        error = bench_worst(error, distance[i], sqrt(x * x + y * y), 10.0);
    }

    char size[32];
    snprintf(size, sizeof size, "%d", n);
#ifdef COMPRESSED
    int status = bench_report(NAME(COMPRESSED), size, &kernel, app_ms, error, 5e-4);
#else
    int status = bench_report("nearest", size, &kernel, app_ms, error, 1e-6);
#endif
    free(records);
    free(distance);
    return status;
}
