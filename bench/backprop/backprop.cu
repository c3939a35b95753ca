/* A training step in CUDA: a block a unit for the sums, then one weight a thread. */
#include "backprop.h"
#include "../common/reduce.cuh"

__global__ void forward(int in, const float *input, const float *weight, float *unit)
{
    int j = blockIdx.x;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < in; i += blockDim.x)
        sum += input[i] * weight[j * in + i];
    sum = bench_block_reduce<bench_sum>(sum);
    if (threadIdx.x == 0)
        unit[j] = 1.0f / (1.0f + expf(-sum));
}

__global__ void errors(int out, const float *target, const float *unit, float *delta)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < out)
        delta[j] = unit[j] * (1.0f - unit[j]) * (target[j] - unit[j]);
}

__global__ void adjust(int in, const float *input, const float *delta, const float *weight,
                       const float *momentum, float *adjusted, float *change)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y;
    if (i >= in)
        return;
    int at = j * in + i;
    float by = RATE * delta[j] * input[i] + MOMENTUM * momentum[at];
    change[at] = by;
    adjusted[at] = weight[at] + by;
}

static void backprop(int in, int out, layer l, bench_timer *t)
{
    const size_t weights = (size_t)in * out;
    float *input = bench_device(l.input, in);
    float *weight = bench_device(l.weight, weights);
    float *momentum = bench_device(l.momentum, weights);
    float *target = bench_device(l.target, out);
    float *unit = bench_device<float>(NULL, out);
    float *delta = bench_device<float>(NULL, out);
    float *adjusted = bench_device<float>(NULL, weights);
    float *change = bench_device<float>(NULL, weights);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            forward<<<out, BENCH_BLOCK>>>(in, input, weight, unit);
            errors<<<bench_blocks(out, 256), 256>>>(out, target, unit, delta);
            adjust<<<dim3(bench_blocks(in, 256), out), 256>>>(in, input, delta, weight, momentum,
                                                              adjusted, change);
        }
        bench_wait();
    }
    bench_fetch(l.unit, unit, out);
    bench_fetch(l.adjusted, adjusted, weights);
    bench_fetch(l.change, change, weights);
    CUDA_CHECK(cudaFree(input));
    CUDA_CHECK(cudaFree(weight));
    CUDA_CHECK(cudaFree(momentum));
    CUDA_CHECK(cudaFree(target));
    CUDA_CHECK(cudaFree(unit));
    CUDA_CHECK(cudaFree(delta));
    CUDA_CHECK(cudaFree(adjusted));
    CUDA_CHECK(cudaFree(change));
}
