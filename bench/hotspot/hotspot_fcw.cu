/* Chip temperature in CUDA with a ghost zone in shared memory: LOCAL steps a launch. */
#ifndef LOCAL
#define LOCAL 2
#define BENCH_NAME "hotspot_fcw"
#elif LOCAL == 1
#define BENCH_NAME "hotspot_ghost1"
#else
#define BENCH_NAME "hotspot_ghost12"
#endif
#include "hotspot.h"

#define TILE 32

__global__ void local_steps(int n, int count, const float *power, const float *from, float *to)
{
    __shared__ float cells[2][TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int r = (int)blockIdx.y * (TILE - 2 * LOCAL) - LOCAL + y;
    int c = (int)blockIdx.x * (TILE - 2 * LOCAL) - LOCAL + x;
    bool inside = r >= 0 && r < n && c >= 0 && c < n;
    int at = r * n + c, now = 0;
    cells[0][y][x] = inside ? from[at] : 0.0f;
    float heat = inside ? power[at] : 0.0f;
    __syncthreads();
    for (int s = 0; s < count; s++) {
        if (inside && x > s && x < TILE - s - 1 && y > s && y < TILE - s - 1) {
            float here = cells[now][y][x];
            float up = r > 0 ? cells[now][y - 1][x] : here;
            float down = r < n - 1 ? cells[now][y + 1][x] : here;
            float left = c > 0 ? cells[now][y][x - 1] : here;
            float right = c < n - 1 ? cells[now][y][x + 1] : here;
            cells[1 - now][y][x] = here + STEP * (heat + ALONG * (up + down + left + right - 4.0f * here) +
                                                  ACROSS * (AMBIENT - here));
        }
        now = 1 - now;
        __syncthreads();
    }
    if (inside && x >= LOCAL && x < TILE - LOCAL && y >= LOCAL && y < TILE - LOCAL)
        to[at] = cells[now][y][x];
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
    int launches = (steps + LOCAL - 1) / LOCAL;
    const dim3 block(TILE, TILE);
    const dim3 grid(bench_blocks(n, TILE - 2 * LOCAL), bench_blocks(n, TILE - 2 * LOCAL));
    size_t cells = (size_t)n * n;
    float *dstart = bench_device(start, cells);
    float *dpower = bench_device(power, cells);
    float *dresult = bench_device<float>(NULL, cells);
    float *dother = bench_device<float>(NULL, cells);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            float *from = launches % 2 ? dother : dresult, *to = launches % 2 ? dresult : dother;
            restart<<<bench_blocks(cells, 256), 256>>>(n * n, from, dstart);
            for (int s = 0; s < steps; s += LOCAL) {
                int count = s + LOCAL <= steps ? LOCAL : steps - s;
                local_steps<<<grid, block>>>(n, count, dpower, from, to);
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
