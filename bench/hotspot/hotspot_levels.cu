/* Chip temperature in CUDA, one cell a thread, tiles of 16 by 16 and their borders in shared memory. */
#include "hotspot.h"

enum { TILE = 16 };

__global__ void step_kernel(int n, const float *power, const float *from, float *to)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
    int at = i * n + j, y = threadIdx.y + 1, x = threadIdx.x + 1;
    bool inside = i < n && j < n;
    if (inside) {
        float here = from[at];
        tile[y][x] = here;
        if (y == 1)
            tile[0][x] = i > 0 ? from[at - n] : here;
        if (y == TILE || i == n - 1)
            tile[y + 1][x] = i < n - 1 ? from[at + n] : here;
        if (x == 1)
            tile[y][0] = j > 0 ? from[at - 1] : here;
        if (x == TILE || j == n - 1)
            tile[y][x + 1] = j < n - 1 ? from[at + 1] : here;
    }
    __syncthreads();
    if (!inside)
        return;
    float here = tile[y][x];
    float around = tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
    to[at] = here + STEP * (power[at] + ALONG * (around - 4.0f * here) + ACROSS * (AMBIENT - here));
}

__global__ void restart(int count, float *to, const float *start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = start[i];
}

static void hotspot(int n, int steps, const float *start, const float *power, float *result,
                    bench_timer *t)
{
    const dim3 block(TILE, TILE);
    const dim3 grid(bench_blocks(n, TILE), bench_blocks(n, TILE));
    size_t cells = (size_t)n * n;
    float *dpower = bench_device(power, cells);
    float *dstart = bench_device(start, cells);
    float *dresult = bench_device<float>(NULL, cells);
    float *dother = bench_device<float>(NULL, cells);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            float *from = steps % 2 ? dother : dresult, *to = steps % 2 ? dresult : dother;
            restart<<<bench_blocks(cells, 256), 256>>>(n * n, from, dstart);
            for (int s = 0; s < steps; s++) {
                step_kernel<<<grid, block>>>(n, dpower, from, to);
                float *swap = from;
                from = to;
                to = swap;
            }
        }
        bench_wait();
    }
    bench_fetch(result, dresult, cells);
    CUDA_CHECK(cudaFree(dstart));
    CUDA_CHECK(cudaFree(dpower));
    CUDA_CHECK(cudaFree(dresult));
    CUDA_CHECK(cudaFree(dother));
}
