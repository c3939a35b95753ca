/* Chip temperature in CUDA, one cell a thread, in blocks of 32 by 8. */
#include "hotspot.h"
#ifdef COMPRESSED
#include "../common/compressed.cuh"
typedef unsigned short element;
#define VALUE(x) bench_decode(x, scale, bias)
#else
typedef float element;
#define VALUE(x) (x)
#endif

__global__ void step_kernel(int n, const element *power, const float *from, float *to, float scale, float bias)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n)
        return;
    int at = i * n + j;
    float here = from[at];
    float up = i > 0 ? from[at - n] : here;
    float down = i < n - 1 ? from[at + n] : here;
    float left = j > 0 ? from[at - 1] : here;
    float right = j < n - 1 ? from[at + 1] : here;
    to[at] = here + STEP * (VALUE(power[at]) + ALONG * (up + down + left + right - 4.0f * here) +
                            ACROSS * (AMBIENT - here));
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
    const dim3 block(32, 8);
    const dim3 grid(bench_blocks(n, block.x), bench_blocks(n, block.y));
    size_t cells = (size_t)n * n;
    float *dstart = bench_device(start, cells);
    float scale = 0, bias = 0;
#ifdef COMPRESSED
    bench_keys keys = bench_range(2.0);
    scale = (float)keys.scale, bias = (float)keys.bias;
    element *dpower = bench_device_encoded(power, cells, keys);
#else
    element *dpower = bench_device(power, cells);
#endif
    float *dresult = bench_device<float>(NULL, cells);
    float *dother = bench_device<float>(NULL, cells);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            float *from = steps % 2 ? dother : dresult, *to = steps % 2 ? dresult : dother;
            restart<<<bench_blocks(cells, 256), 256>>>(n * n, from, dstart);
            for (int s = 0; s < steps; s++) {
                step_kernel<<<grid, block>>>(n, dpower, from, to, scale, bias);
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
