/* Cheapest way in CUDA with a ghost zone in shared memory: STEPS rows a launch. */
#ifndef STEPS
#define STEPS 12
#define BENCH_NAME "pathfinder_fcw"
#elif STEPS == 1
#define BENCH_NAME "pathfinder_ghost1"
#else
#define BENCH_NAME "pathfinder_ghost2"
#endif
#include "pathfinder.h"

#define TILE 256

__global__ void next_rows(int columns, int first, int count, const int *wall, const int *from, int *to)
{
    __shared__ int row[2][TILE];
    int at = threadIdx.x;
    int n = (int)blockIdx.x * (TILE - 2 * STEPS) - STEPS + at;
    bool inside = n >= 0 && n < columns;
    int now = 0;
    row[0][at] = inside ? from[n] : 0;
    __syncthreads();
    for (int s = 0; s < count; s++) {
        if (inside && at > s && at < TILE - s - 1) {
            int least = row[now][at];
            if (n > 0)
                least = min(least, row[now][at - 1]);
            if (n < columns - 1)
                least = min(least, row[now][at + 1]);
            row[1 - now][at] = least + wall[(size_t)(first + s) * columns + n];
        }
        now = 1 - now;
        __syncthreads();
    }
    if (inside && at >= STEPS && at < TILE - STEPS)
        to[n] = row[now][at];
}

__global__ void first_row(int columns, const int *wall, int *to)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns)
        to[j] = wall[j];
}

static void pathfinder(int columns, int rows, const int *wall, int *result, bench_timer *t)
{
    int launches = (rows - 1 + STEPS - 1) / STEPS;
    int *dwall = bench_device(wall, (size_t)columns * rows);
    int *dresult = bench_device<int>(NULL, columns);
    int *dother = bench_device<int>(NULL, columns);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            int *from = launches % 2 ? dother : dresult, *to = launches % 2 ? dresult : dother;
            first_row<<<bench_blocks(columns, 256), 256>>>(columns, dwall, from);
            for (int i = 1; i < rows; i += STEPS) {
                int count = i + STEPS <= rows ? STEPS : rows - i;
                next_rows<<<bench_blocks(columns, TILE - 2 * STEPS), TILE>>>(columns, i, count, dwall, from, to);
                int *swap = from;
                from = to;
                to = swap;
            }
        }
        bench_wait();
    }
    bench_fetch(result, dresult, columns);
    CUDA_CHECK(cudaFree(dwall));
    CUDA_CHECK(cudaFree(dresult));
    CUDA_CHECK(cudaFree(dother));
}
