/* Cheapest way in CUDA, one column a thread, one launch a row. */
#include "pathfinder.h"

__global__ void next_row(int columns, const int *row, const int *from, int *to)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns)
        return;
    int least = from[j];
    if (j > 0 && from[j - 1] < least)
        least = from[j - 1];
    if (j < columns - 1 && from[j + 1] < least)
        least = from[j + 1];
    to[j] = row[j] + least;
}

__global__ void first_row(int columns, const int *wall, int *to)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns)
        to[j] = wall[j];
}

static void pathfinder(int columns, int rows, const int *wall, int *result, bench_timer *t)
{
    const int block = 256;
    const unsigned grid = bench_blocks(columns, block);
    int *dwall = bench_device(wall, (size_t)columns * rows);
    int *dresult = bench_device<int>(NULL, columns);
    int *dother = bench_device<int>(NULL, columns);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            int *from = rows % 2 ? dresult : dother, *to = rows % 2 ? dother : dresult;
            first_row<<<grid, block>>>(columns, dwall, from);
            for (int i = 1; i < rows; i++) {
                next_row<<<grid, block>>>(columns, dwall + (size_t)i * columns, from, to);
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
