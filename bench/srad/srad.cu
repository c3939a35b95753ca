/* Diffusion in CUDA, one pixel a thread, in blocks of 32 by 8. */
#include "srad.h"
#include "../common/reduce.cuh"

__global__ void restart(size_t cells, float *image, const float *start)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cells)
        image[i] = start[i];
}

__global__ void moments(size_t cells, const float *image, double *sums)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double value = i < cells ? image[i] : 0.0;
    double sum = bench_block_reduce<bench_sum>(value);
    double squares = bench_block_reduce<bench_sum>(value * value);
    if (bench_first_of_block()) {
        atomicAdd(&sums[0], sum);
        atomicAdd(&sums[1], squares);
    }
}

__global__ void gradients(int n, const float *image, fields f, float speckle)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n)
        return;
    int at = i * n + j;
    float here = image[at];
    float up = (i > 0 ? image[at - n] : here) - here;
    float down = (i < n - 1 ? image[at + n] : here) - here;
    float left = (j > 0 ? image[at - 1] : here) - here;
    float right = (j < n - 1 ? image[at + 1] : here) - here;
    float c;
    DIFFUSION(c, here, up, down, left, right, speckle);
    f.north[at] = up;
    f.south[at] = down;
    f.west[at] = left;
    f.east[at] = right;
    f.coefficient[at] = c;
}

__global__ void diffuse(int n, float *image, fields f)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n)
        return;
    int at = i * n + j;
    float here = f.coefficient[at];
    float below = i < n - 1 ? f.coefficient[at + n] : here;
    float beside = j < n - 1 ? f.coefficient[at + 1] : here;
    image[at] += 0.25f * LAMBDA * (here * f.north[at] + below * f.south[at] + here * f.west[at] +
                                   beside * f.east[at]);
}

static void srad(int n, int steps, const float *start, float *image, bench_timer *t)
{
    const size_t cells = (size_t)n * n;
    const dim3 block(32, 8);
    const dim3 grid(bench_blocks(n, block.x), bench_blocks(n, block.y));
    const unsigned flat = bench_blocks(cells, BENCH_BLOCK);
    float *dstart = bench_device(start, cells);
    float *dimage = bench_device<float>(NULL, cells);
    double *dsums = bench_device<double>(NULL, 2);
    fields f;
    f.north = bench_device<float>(NULL, cells);
    f.south = bench_device<float>(NULL, cells);
    f.west = bench_device<float>(NULL, cells);
    f.east = bench_device<float>(NULL, cells);
    f.coefficient = bench_device<float>(NULL, cells);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            restart<<<flat, BENCH_BLOCK>>>(cells, dimage, dstart);
            for (int step = 0; step < steps; step++) {
                double sums[2];
                CUDA_CHECK(cudaMemsetAsync(dsums, 0, sizeof sums));
                moments<<<flat, BENCH_BLOCK>>>(cells, dimage, dsums);
                bench_fetch(sums, dsums, 2);
                double mean = sums[0] / cells, variance = sums[1] / cells - mean * mean;
                float speckle = (float)(variance / (mean * mean));
                gradients<<<grid, block>>>(n, dimage, f, speckle);
                diffuse<<<grid, block>>>(n, dimage, f);
            }
        }
        bench_wait();
    }
    bench_fetch(image, dimage, cells);
    CUDA_CHECK(cudaFree(dstart));
    CUDA_CHECK(cudaFree(dimage));
    CUDA_CHECK(cudaFree(dsums));
    CUDA_CHECK(cudaFree(f.north));
    CUDA_CHECK(cudaFree(f.south));
    CUDA_CHECK(cudaFree(f.west));
    CUDA_CHECK(cudaFree(f.east));
    CUDA_CHECK(cudaFree(f.coefficient));
}
