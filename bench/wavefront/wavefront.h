/* Input, check and report; wavefront.c and wavefront.cu supply the computation. */
#include "../common/bench.h"

/* An element's weight in the relaxation, the other half is shared by three neighbours. */
#define OWN 0.5
#define SHARE (0.5 / 3.0)

/* `sweeps` relaxations of v, n by n by n, each from the first corner to the last and back: an element takes
 * new values of the three neighbours the way comes from, so those of a plane i + j + k alone are free of each
 * other. The border stays. One repetition is all the sweeps, from `start`. */
static void wavefront(int n, int sweeps, const double *start, double *v, bench_timer *t);

static void serial(int n, int sweeps, double *v)
{
    const int row = n, layer = n * n;
    for (int s = 0; s < sweeps; s++) {
        for (int k = 1; k < n - 1; k++)
            for (int j = 1; j < n - 1; j++)
                for (int i = 1; i < n - 1; i++) {
                    double *at = v + (k * n + j) * n + i;
                    at[0] = OWN * at[0] + SHARE * (at[-1] + at[-row] + at[-layer]);
                }
        for (int k = n - 2; k >= 1; k--)
            for (int j = n - 2; j >= 1; j--)
                for (int i = n - 2; i >= 1; i--) {
                    double *at = v + (k * n + j) * n + i;
                    at[0] = OWN * at[0] + SHARE * (at[1] + at[row] + at[layer]);
                }
    }
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 48);
    int sweeps = bench_arg(argc, argv, 2, 2);
    int reps = bench_arg(argc, argv, 3, 1);
    size_t elements = (size_t)n * n * n;
    double *start = (double *)bench_alloc(elements, sizeof *start);
    double *v = (double *)bench_alloc(elements, sizeof *v);
    double *expected = (double *)bench_alloc(elements, sizeof *expected);
    bench_fill_double(start, elements, 1, 1.0, 2.0);

    bench_timer kernel = bench_timer_many(reps);
    wavefront(n, sweeps, start, v, &kernel);
    memset(v, 0, elements * sizeof *v);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    wavefront(n, sweeps, start, v, &once);
    double app_ms = bench_now_ms() - begin;

    memcpy(expected, start, elements * sizeof *expected);
    serial(n, sweeps, expected);
    double error = 0.0;
    for (size_t i = 0; i < elements; i++)
        error = bench_worst(error, v[i], expected[i], 1.0);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", n, sweeps);
    int status = bench_report("wavefront", size, &kernel, app_ms, error, 1e-12);
    free(start);
    free(v);
    free(expected);
    return status;
}
