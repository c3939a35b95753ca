/* Chip temperature in CUDA, one cell a thread, in blocks of 32 by 8. */
#include "hotspot.h"
/* -DCOMPRESSED: the power is held in 16 bits an element; -DBOTH: the temperatures too, over 50 to 400. */
#if defined(COMPRESSED) || defined(BOTH)
#include "../common/compressed.cuh"
typedef unsigned short element;
#define VALUE(x) bench_decode(x, power_scale, power_bias)
#else
typedef float element;
#define VALUE(x) (x)
#endif
#ifdef BOTH
typedef unsigned short cell;
#define OF_CELL(x) bench_decode(x, scale, bias)
#define TO_CELL(x) bench_encode(x, inverse, offset)
#else
typedef float cell;
#define OF_CELL(x) (x)
#define TO_CELL(x) (x)
#endif

__global__ void step_kernel(int n, const element *power, const cell *from, cell *to, float power_scale,
                            float power_bias, float scale, float bias, float inverse, float offset)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n)
        return;
    int at = i * n + j;
    float here = OF_CELL(from[at]);
    float up = i > 0 ? OF_CELL(from[at - n]) : here;
    float down = i < n - 1 ? OF_CELL(from[at + n]) : here;
    float left = j > 0 ? OF_CELL(from[at - 1]) : here;
    float right = j < n - 1 ? OF_CELL(from[at + 1]) : here;
    to[at] = TO_CELL(here + STEP * (VALUE(power[at]) + ALONG * (up + down + left + right - 4.0f * here) +
                                    ACROSS * (AMBIENT - here)));
}

__global__ void restart(int count, cell *to, const cell *start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = start[i];
}

static void hotspot(int n, int steps, const float *start, const float *power, float *result,
                    bench_timer *t)
{
    const dim3 block(32, 8);
    const dim3 grid(bench_blocks(n, block.x), bench_blocks(n, block.y));
    size_t cells = (size_t)n * n;
    float power_scale = 0, power_bias = 0, scale = 0, bias = 0, inverse = 0, offset = 0;
#if defined(COMPRESSED) || defined(BOTH)
    bench_keys of_power = bench_range(2.0);
    power_scale = (float)of_power.scale, power_bias = (float)of_power.bias;
    element *dpower = bench_device_encoded(power, cells, of_power);
#else
    element *dpower = bench_device(power, cells);
#endif
#ifdef BOTH
    bench_keys keys = bench_extent(50.0, 400.0);
    scale = (float)keys.scale, bias = (float)keys.bias, inverse = (float)keys.inverse, offset = (float)keys.offset;
    cell *dstart = bench_device_encoded(start, cells, keys);
#else
    cell *dstart = bench_device(start, cells);
#endif
    cell *dresult = bench_device<cell>(NULL, cells);
    cell *dother = bench_device<cell>(NULL, cells);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            cell *from = steps % 2 ? dother : dresult, *to = steps % 2 ? dresult : dother;
            restart<<<bench_blocks(cells, 256), 256>>>(n * n, from, dstart);
            for (int s = 0; s < steps; s++) {
                step_kernel<<<grid, block>>>(n, dpower, from, to, power_scale, power_bias, scale, bias, inverse, offset);
                cell *swap = from;
                from = to;
                to = swap;
            }
        }
        bench_wait();
    }
#ifdef BOTH
    bench_fetch_encoded(result, dresult, cells, keys);
#else
    bench_fetch(result, dresult, cells);
#endif
    CUDA_CHECK(cudaFree(dstart));
    CUDA_CHECK(cudaFree(dpower));
    CUDA_CHECK(cudaFree(dresult));
    CUDA_CHECK(cudaFree(dother));
}
