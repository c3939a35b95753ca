/* Cheapest way in OpenACC: one kernels region a row, its wall row a piece of the present array. */
#include "pathfinder.h"

static void next_row(int columns, const int *restrict row, const int *restrict from,
                     int *restrict to)
{
#pragma acc kernels present(row[:columns], from[:columns], to[:columns]) async(1)
#pragma acc loop independent
#pragma omp parallel for
    for (int j = 0; j < columns; j++) {
        int least = from[j];
        if (j > 0 && from[j - 1] < least)
            least = from[j - 1];
        if (j < columns - 1 && from[j + 1] < least)
            least = from[j + 1];
        to[j] = row[j] + least;
    }
}

static void pathfinder(int columns, int rows, const int *restrict wall, int *restrict result,
                       bench_timer *t)
{
    int *restrict other = bench_alloc(columns, sizeof *other);
#pragma acc data copyin(wall[:(size_t)columns * rows]) copyout(result[:columns]) \
    create(other[:columns])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            /* The last row must end in `result`. */
            int *from = rows % 2 ? result : other, *to = rows % 2 ? other : result;
#pragma acc kernels loop independent present(from[:columns]) async(1)
#pragma omp parallel for
            for (int j = 0; j < columns; j++)
                from[j] = wall[j];
            for (int i = 1; i < rows; i++) {
                next_row(columns, wall + (size_t)i * columns, from, to);
                int *swap = from;
                from = to;
                to = swap;
            }
        }
#pragma acc wait
    }
    free(other);
}
