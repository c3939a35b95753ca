/* Input, check and report; vector_only.c and vector_only.cu supply the computation. */
#include "../common/bench.h"

/* The first terms of the series of exp(x). */
#define POLYNOMIAL(x) \
    (1.0 + (x) * (1.0 + (x) * (1.0 / 2 + (x) * (1.0 / 6 + (x) * (1.0 / 24 + (x) * (1.0 / 120 + \
    (x) * (1.0 / 720 + (x) * (1.0 / 5040 + (x) * (1.0 / 40320)))))))))

/* y[i] = the polynomial of x[i], t->reps times a round. */
static void polynomial(int n, const double *x, double *y, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 20);
    int reps = bench_arg(argc, argv, 2, 10);
    double *x = (double *)bench_alloc(n, sizeof *x);
    double *y = (double *)bench_alloc(n, sizeof *y);
    bench_fill_double(x, n, 1, -1.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    polynomial(n, x, y, &kernel);
    memset(y, 0, n * sizeof *y);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    polynomial(n, x, y, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (int i = 0; i < n; i++)
        error = bench_worst(error, y[i], POLYNOMIAL(x[i]), 1.0);

    char size[32];
    snprintf(size, sizeof size, "%d", n);
    int status = bench_report("vector_only", size, &kernel, app_ms, error, 1e-12);
    free(x);
    free(y);
    return status;
}
