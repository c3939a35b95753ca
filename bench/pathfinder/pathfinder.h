/* Input, check and report; pathfinder.c and pathfinder.cu supply the computation. */
#include "../common/bench.h"

#ifndef BENCH_NAME
#define BENCH_NAME "pathfinder"
#endif

/* The cheapest way down a wall of `rows` rows and `columns` columns, from the top to each column of
 * the last row, going straight or one column aside at each row. */
static void pathfinder(int columns, int rows, const int *wall, int *result, bench_timer *t);

int main(int argc, char **argv)
{
    int columns = bench_arg(argc, argv, 1, 100000);
    int rows = bench_arg(argc, argv, 2, 100);
    int reps = bench_arg(argc, argv, 3, 1);
    int *wall = (int *)bench_alloc((size_t)columns * rows, sizeof *wall);
    int *result = (int *)bench_alloc(columns, sizeof *result);
    int *a = (int *)bench_alloc(columns, sizeof *a);
    int *b = (int *)bench_alloc(columns, sizeof *b);
    uint64_t seed = 1;
    for (size_t i = 0; i < (size_t)columns * rows; i++)
        wall[i] = bench_below(&seed, 10);

    bench_timer kernel = bench_timer_many(reps);
    pathfinder(columns, rows, wall, result, &kernel);
    memset(result, 0, columns * sizeof *result);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    pathfinder(columns, rows, wall, result, &once);
    double app_ms = bench_now_ms() - begin;

    memcpy(a, wall, columns * sizeof *a);
    for (int i = 1; i < rows; i++) {
        const int *row = wall + (size_t)i * columns;
        for (int j = 0; j < columns; j++) {
            int least = a[j];
            if (j > 0 && a[j - 1] < least)
                least = a[j - 1];
            if (j < columns - 1 && a[j + 1] < least)
                least = a[j + 1];
            b[j] = row[j] + least;
        }
        int *swap = a;
        a = b;
        b = swap;
    }
    double error = 0.0;
    for (int j = 0; j < columns; j++)
        error = bench_worst(error, result[j], a[j], 1.0);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", rows, columns);
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, error, 0.0);
    free(wall);
    free(result);
    free(a);
    free(b);
    return status;
}
