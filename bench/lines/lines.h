/* Input, check and report; lines.c and the CUDA versions supply the computation. */
#include "../common/bench.h"

#ifdef STAGED
#define BENCH_NAME "lines_staged"
#else
#define BENCH_NAME "lines"
#endif

/* For each line along x of an n by n by n block, x fastest: u such that
 * -u[x - 1] + diagonal[x] u[x] - u[x + 1] = right[x], with zeros beyond the ends. Elimination
 * from the front, then substitution from the back, t->reps times a round. */
static void lines(int n, const double *diagonal, const double *right, double *u, bench_timer *t);

/* The largest residual of a line, relative to its terms. */
static double residual(int n, const double *diagonal, const double *right, const double *u)
{
    double worst = 0.0;
    for (int x = 0; x < n; x++) {
        double left = x > 0 ? u[x - 1] : 0.0, next = x < n - 1 ? u[x + 1] : 0.0;
        worst = bench_worst(worst, diagonal[x] * u[x] - left - next, right[x], 1.0);
    }
    return worst;
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 96);
    int reps = bench_arg(argc, argv, 2, 2);
    size_t elements = (size_t)n * n * n;
    double *diagonal = (double *)bench_alloc(elements, sizeof *diagonal);
    double *right = (double *)bench_alloc(elements, sizeof *right);
    double *u = (double *)bench_alloc(elements, sizeof *u);
    bench_fill_double(diagonal, elements, 1, 2.5, 4.0);
    bench_fill_double(right, elements, 2, -1.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    lines(n, diagonal, right, u, &kernel);
    memset(u, 0, elements * sizeof *u);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    lines(n, diagonal, right, u, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (size_t line = 0; line < elements; line += n)
        error = bench_worst(error, residual(n, diagonal + line, right + line, u + line), 0.0, 1.0);

    char size[32];
    snprintf(size, sizeof size, "%dx%dx%d", n, n, n);
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, error, 1e-12);
    free(diagonal);
    free(right);
    free(u);
    return status;
}
