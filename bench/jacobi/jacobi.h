/* Input, check and report; jacobi.c and jacobi.cu supply the computation. */
#include "../common/bench.h"

#define JACOBI_TOLERANCE 1e-6

/* Jacobi relaxation of Laplace's equation on the n by n interior of a grid of n + 2 rows and
 * columns, from zero inside and the boundary in `start`. Stops after `steps` steps or when no
 * element changes by more than JACOBI_TOLERANCE. The grid is left in `a`; the last change is
 * returned. One repetition is the whole relaxation. */
static double jacobi(int n, int steps, const double *start, double *a, bench_timer *t);

static double serial(int n, int steps, const double *start, double *a, double *b)
{
    int m = n + 2;
    double change = 1.0;
    memcpy(a, start, (size_t)m * m * sizeof *a);
    memcpy(b, start, (size_t)m * m * sizeof *b);
    for (int step = 0; step < steps && change > JACOBI_TOLERANCE; step++) {
        change = 0.0;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++) {
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +
                                       a[i * m + j + 1]);
                change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
            }
        for (int i = 1; i <= n; i++)
            memcpy(a + i * m + 1, b + i * m + 1, n * sizeof *a);
    }
    return change;
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 256);
    int steps = bench_arg(argc, argv, 2, 100);
    int reps = bench_arg(argc, argv, 3, 1);
    int m = n + 2;
    size_t elements = (size_t)m * m;
    double *start = (double *)bench_alloc(elements, sizeof *start);
    double *a = (double *)bench_alloc(elements, sizeof *a);
    double *expected = (double *)bench_alloc(elements, sizeof *expected);
    double *other = (double *)bench_alloc(elements, sizeof *other);
    uint64_t seed = 1;
    for (int i = 0; i < m; i++) {
        start[i * m] = sin(3.14159265358979 * i / (m - 1));
        start[i * m + m - 1] = start[i * m] * 0.5;
        start[i] = bench_uniform(&seed, 0.0, 1.0);
    }

    bench_timer kernel = bench_timer_many(reps);
    jacobi(n, steps, start, a, &kernel);
    memset(a, 0, elements * sizeof *a);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    double change = jacobi(n, steps, start, a, &once);
    double app_ms = bench_now_ms() - begin;

    double error = bench_worst(0.0, change, serial(n, steps, start, expected, other), 1e-6);
    for (size_t i = 0; i < elements; i++)
        error = bench_worst(error, a[i], expected[i], 1e-3);

    char size[48];
    snprintf(size, sizeof size, "%dx%dx%d", n, n, steps);
    int status = bench_report("jacobi", size, &kernel, app_ms, error, 1e-9);
    free(start);
    free(a);
    free(expected);
    free(other);
    return status;
}
