/* Input, check and report; kernels_copy.c and kernels_copy.cu supply the computation. */
#include "../common/bench.h"

/* Cells of an unstructured mesh, each with SIDES neighbours, and VALUES values that are held cell by cell
 * for one value after another. A border's neighbour is -1. */
enum { SIDES = 4, VALUES = 3 };

typedef struct {
    int cells;
    const int *neighbour; /* [SIDES][cells] */
    const double *area;   /* [SIDES][cells] */
} mesh;

#define TIME_STEP 0.05

/* `steps` steps, each of three loops: the values are copied, their flux is summed over the sides, and a
 * step is taken from the copy. One repetition is all the steps, from `start`. */
static void flow(mesh m, int steps, const double *start, double *values, bench_timer *t);

static void serial(mesh m, int steps, double *values)
{
    const int n = m.cells;
    double *old = (double *)bench_alloc((size_t)VALUES * n, sizeof *old);
    for (int s = 0; s < steps; s++) {
        memcpy(old, values, sizeof *old * VALUES * n);
        for (int i = 0; i < n; i++)
            for (int v = 0; v < VALUES; v++) {
                double sum = 0.0;
                for (int k = 0; k < SIDES; k++) {
                    int other = m.neighbour[k * n + i];
                    if (other >= 0)
                        sum += m.area[k * n + i] * (old[v * n + other] - old[v * n + i]);
                }
                values[v * n + i] = old[v * n + i] + TIME_STEP * sum;
            }
    }
    free(old);
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 100000);
    int steps = bench_arg(argc, argv, 2, 10);
    int reps = bench_arg(argc, argv, 3, 1);
    int *neighbour = (int *)bench_alloc((size_t)SIDES * n, sizeof *neighbour);
    double *area = (double *)bench_alloc((size_t)SIDES * n, sizeof *area);
    double *start = (double *)bench_alloc((size_t)VALUES * n, sizeof *start);
    double *values = (double *)bench_alloc((size_t)VALUES * n, sizeof *values);
    double *expected = (double *)bench_alloc((size_t)VALUES * n, sizeof *expected);
    uint64_t seed = 1;
    for (int k = 0; k < SIDES; k++)
        for (int i = 0; i < n; i++) {
            int other = i + bench_below(&seed, 1001) - 500;
            neighbour[k * n + i] = other >= 0 && other < n ? other : -1;
        }
    bench_fill_double(area, (long)SIDES * n, 2, 0.5, 1.5);
    bench_fill_double(start, (long)VALUES * n, 3, 1.0, 2.0);
    mesh m = {n, neighbour, area};

    bench_timer kernel = bench_timer_many(reps);
    flow(m, steps, start, values, &kernel);
    memset(values, 0, sizeof *values * VALUES * n);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    flow(m, steps, start, values, &once);
    double app_ms = bench_now_ms() - begin;

    memcpy(expected, start, sizeof *expected * VALUES * n);
    serial(m, steps, expected);
    double error = 0.0;
    for (int i = 0; i < VALUES * n; i++)
        error = bench_worst(error, values[i], expected[i], 1.0);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", n, steps);
    int status = bench_report("kernels_copy", size, &kernel, app_ms, error, 1e-10);
    free(neighbour);
    free(area);
    free(start);
    free(values);
    free(expected);
    return status;
}
