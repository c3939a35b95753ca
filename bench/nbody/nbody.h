/* Input, check and report; nbody.c and nbody.cu supply the computation. */
#include "../common/bench.h"

#ifndef BENCH_NAME
#define BENCH_NAME "nbody"
#endif

enum { MOST_BODIES = 1 << 17 };

#define SOFTENING 0.01f
#define TIME_STEP 0.001f

/* The bodies before the step and after it. Static, for the OpenACC version maps them as such. */
static float x[MOST_BODIES], y[MOST_BODIES], z[MOST_BODIES], mass[MOST_BODIES];
static float vx[MOST_BODIES], vy[MOST_BODIES], vz[MOST_BODIES];
static float new_x[MOST_BODIES], new_y[MOST_BODIES], new_z[MOST_BODIES];
static float new_vx[MOST_BODIES], new_vy[MOST_BODIES], new_vz[MOST_BODIES];

/* One step of n bodies that attract one another, each pair looked at. */
static void nbody(int n, bench_timer *t);

static double serial_error(int n, int i)
{
    double ax = 0.0, ay = 0.0, az = 0.0, h = TIME_STEP;
    for (int j = 0; j < n; j++) {
        double dx = (double)x[j] - x[i], dy = (double)y[j] - y[i], dz = (double)z[j] - z[i];
        double square = dx * dx + dy * dy + dz * dz + (double)SOFTENING;
        double factor = mass[j] / (square * sqrt(square));
        ax += dx * factor;
        ay += dy * factor;
        az += dz * factor;
    }
    double error = bench_worst(0.0, new_vx[i], vx[i] + h * ax, 0.1);
    error = bench_worst(error, new_vy[i], vy[i] + h * ay, 0.1);
    error = bench_worst(error, new_vz[i], vz[i] + h * az, 0.1);
    error = bench_worst(error, new_x[i], x[i] + h * (vx[i] + h * ax), 1.0);
    error = bench_worst(error, new_y[i], y[i] + h * (vy[i] + h * ay), 1.0);
    return bench_worst(error, new_z[i], z[i] + h * (vz[i] + h * az), 1.0);
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 4096);
    int reps = bench_arg(argc, argv, 2, 3);
    if (n > MOST_BODIES) {
        fprintf(stderr, "at most %d bodies\n", MOST_BODIES);
        return 2;
    }
    bench_fill_float(x, n, 1, -1.0, 1.0);
    bench_fill_float(y, n, 2, -1.0, 1.0);
    bench_fill_float(z, n, 3, -1.0, 1.0);
    bench_fill_float(mass, n, 4, 0.5, 1.5);
    bench_fill_float(vx, n, 5, -1.0, 1.0);
    bench_fill_float(vy, n, 6, -1.0, 1.0);
    bench_fill_float(vz, n, 7, -1.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    nbody(n, &kernel);
    memset(new_x, 0, sizeof new_x);
    memset(new_vx, 0, sizeof new_vx);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    nbody(n, &once);
    double app_ms = bench_now_ms() - start;

    int stride = n <= 1024 ? 1 : n / 128, bodies = 0;
    double error = 0.0;
    for (int i = n - 1; i >= 0; i -= stride, bodies++)
        error = fmax(error, serial_error(n, i));
    printf("compared %d of %d bodies with the serial result\n", bodies, n);

    char size[32];
    snprintf(size, sizeof size, "%d", n);
    return bench_report(BENCH_NAME, size, &kernel, app_ms, error, 1e-4);
}
