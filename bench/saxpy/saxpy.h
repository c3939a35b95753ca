/* Input, check and report; saxpy.c and saxpy.cu supply the computation. */
#include "../common/bench.h"

/* z = a x + y, t->reps times a round. */
static void saxpy(int n, float a, const float *x, const float *y, float *z, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 20);
    int reps = bench_arg(argc, argv, 2, 10);
    const float a = 2.5f;
    float *x = (float *)bench_alloc(n, sizeof *x);
    float *y = (float *)bench_alloc(n, sizeof *y);
    float *z = (float *)bench_alloc(n, sizeof *z);
    bench_fill_float(x, n, 1, -1.0, 1.0);
    bench_fill_float(y, n, 2, -1.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    saxpy(n, a, x, y, z, &kernel);
    memset(z, 0, n * sizeof *z);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    saxpy(n, a, x, y, z, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (int i = 0; i < n; i++)
        error = bench_worst(error, z[i], (double)a * x[i] + y[i], 1.0);

    char size[32];
    snprintf(size, sizeof size, "%d", n);
    int status = bench_report("saxpy", size, &kernel, app_ms, error, 1e-6);
    free(x);
    free(y);
    free(z);
    return status;
}
