/* Input, check and report; hotspot.c and hotspot.cu supply the computation. */
#include "../common/bench.h"

#ifndef BENCH_NAME
#ifdef LEVELS
#define BENCH_NAME "hotspot_levels"
#else
#define BENCH_NAME "hotspot"
#endif
#endif

/* Reciprocal thermal resistances along and across the chip, a step over the capacitance. */
#define ALONG 0.1f
#define ACROSS 0.05f
#define STEP 0.5f
#define AMBIENT 80.0f

/* The temperature of an n by n chip after `steps` steps, from `start`, heated by `power`. Border
 * cells take themselves for the neighbour they lack. One repetition is all the steps. */
static void hotspot(int n, int steps, const float *start, const float *power, float *result,
                    bench_timer *t);

static void serial_step(int n, const float *power, const float *from, float *to)
{
    for (int i = 0; i < n; i++) {
        const float *row = from + (size_t)i * n;
        const float *up = i > 0 ? row - n : row, *down = i < n - 1 ? row + n : row;
        for (int j = 0; j < n; j++) {
            float here = row[j];
            float left = j > 0 ? row[j - 1] : here, right = j < n - 1 ? row[j + 1] : here;
            to[(size_t)i * n + j] =
                here + STEP * (power[(size_t)i * n + j] +
                               ALONG * (up[j] + down[j] + left + right - 4.0f * here) +
                               ACROSS * (AMBIENT - here));
        }
    }
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 512);
    int steps = bench_arg(argc, argv, 2, 50);
    int reps = bench_arg(argc, argv, 3, 1);
    size_t cells = (size_t)n * n;
    float *start = (float *)bench_alloc(cells, sizeof *start);
    float *power = (float *)bench_alloc(cells, sizeof *power);
    float *result = (float *)bench_alloc(cells, sizeof *result);
    float *a = (float *)bench_alloc(cells, sizeof *a);
    float *b = (float *)bench_alloc(cells, sizeof *b);
    bench_fill_float(start, cells, 1, 300.0, 340.0);
    bench_fill_float(power, cells, 2, 0.0, 2.0);

    bench_timer kernel = bench_timer_many(reps);
    hotspot(n, steps, start, power, result, &kernel);
    memset(result, 0, cells * sizeof *result);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    hotspot(n, steps, start, power, result, &once);
    double app_ms = bench_now_ms() - begin;

    memcpy(a, start, cells * sizeof *a);
    for (int step = 0; step < steps; step++) {
        serial_step(n, power, a, b);
        float *swap = a;
        a = b;
        b = swap;
    }
    double error = 0.0;
    for (size_t i = 0; i < cells; i++)
        error = bench_worst(error, result[i], a[i], 1.0);

    char size[48];
    snprintf(size, sizeof size, "%dx%dx%d", n, n, steps);
#ifdef BOTH
    int status = bench_report("hotspot_both", size, &kernel, app_ms, error, 1e-3);
#elif defined(COMPRESSED)
    int status = bench_report("hotspot_c", size, &kernel, app_ms, error, 2e-5);
#else
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, error, 1e-5);
#endif
    free(start);
    free(power);
    free(result);
    free(a);
    free(b);
    return status;
}
