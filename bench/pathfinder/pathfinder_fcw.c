/* Cheapest way with a ghost zone: a block takes STEPS rows in one launch, its neighbours' columns included (fcw). */
#ifndef STEPS
#define STEPS 12
#define BENCH_NAME "pathfinder_fcw"
#elif STEPS == 1
#define BENCH_NAME "pathfinder_ghost1"
#else
#define BENCH_NAME "pathfinder_ghost2"
#endif
#include "pathfinder.h"

#ifndef TILE
#define TILE 256
#define LOG 8
#endif

/* Rows `first` to `first + count - 1` of the wall, count at most STEPS. */
static void next_rows(int columns, int first, int count, const int *restrict wall, int *restrict from,
                      int *restrict to)
{
    int threads = (columns + TILE - 2 * STEPS - 1) / (TILE - 2 * STEPS) * TILE;
#pragma acc parallel loop vector(TILE) async(1) \
    present(wall[(size_t)first * columns:(size_t)count * columns], from[:columns], to[:columns])
    for (int np = 0; np < threads; np++) {
        int n = np - ((np >> LOG) * 2 * STEPS + STEPS);
        int at = np & (TILE - 1);
        int least = 0, computed = 0;
#pragma acc fcw FETCH_CHANNEL(from[n:0:0])
        for (int s = 0; s < count; s++) {
            computed = 0;
            if (at > s && at < TILE - s - 1 && n >= 0 && n < columns) {
                computed = 1;
                least = from[n];
                if (n > 0 && from[n - 1] < least)
                    least = from[n - 1];
                if (n < columns - 1 && from[n + 1] < least)
                    least = from[n + 1];
                least += wall[(size_t)(first + s) * columns + n];
                from[n] = least;
            }
        }
        if (computed && at >= STEPS && at < TILE - STEPS)
            to[n] = least;
    }
}

static void pathfinder(int columns, int rows, const int *restrict wall, int *restrict result,
                       bench_timer *t)
{
    int launches = (rows - 1 + STEPS - 1) / STEPS;
    int *restrict other = bench_alloc(columns, sizeof *other);
#pragma acc data copyin(wall[:(size_t)columns * rows]) copyout(result[:columns]) \
    create(other[:columns])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            /* The last row must end in `result`. */
            int *from = launches % 2 ? other : result, *to = launches % 2 ? result : other;
#pragma acc parallel loop present(from[:columns]) async(1)
            for (int j = 0; j < columns; j++)
                from[j] = wall[j];
            for (int i = 1; i < rows; i += STEPS) {
                int count = i + STEPS <= rows ? STEPS : rows - i;
                next_rows(columns, i, count, wall, from, to);
                int *swap = from;
                from = to;
                to = swap;
            }
        }
#pragma acc wait
    }
    free(other);
}
