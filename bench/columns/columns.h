/* Input, check and report; columns.c and columns.cu supply the computation. */
#include "../common/bench.h"

/* y[j] = the sum of a[i][j] * x[i] over n rows of m elements, t->reps times a round. */
static void columns(int n, int m, const float *a, const float *x, float *y, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 4096);
    int m = bench_arg(argc, argv, 2, 4096);
    int reps = bench_arg(argc, argv, 3, 10);
    float *a = (float *)bench_alloc((size_t)n * m, sizeof *a);
    float *x = (float *)bench_alloc(n, sizeof *x);
    float *y = (float *)bench_alloc(m, sizeof *y);
    double *want = (double *)bench_alloc(m, sizeof *want);
    bench_fill_float(a, (long)n * m, 1, 0.0, 1.0);
    bench_fill_float(x, n, 2, 0.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    columns(n, m, a, x, y, &kernel);
    memset(y, 0, m * sizeof *y);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    columns(n, m, a, x, y, &once);
    double app_ms = bench_now_ms() - start;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            want[j] += (double)a[(size_t)i * m + j] * x[i];
    double error = 0.0;
    for (int j = 0; j < m; j++)
        error = bench_worst(error, y[j], want[j], 1.0);

    char size[32];
    snprintf(size, sizeof size, "%dx%d", n, m);
    int status = bench_report("columns", size, &kernel, app_ms, error, 1e-4);
    free(a);
    free(x);
    free(y);
    free(want);
    return status;
}
