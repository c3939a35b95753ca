/* BACKPROP in CUDA: the large layer on the device, its weights in one array, and the small one by the host, as Rodinia's. */
#define FRAME_MAIN
#include "backprop.h"
#include "input.h"
#include "../../common/reduce.cuh"

enum { H = 17 };
static float *dunits, *dweights, *dprevious, *dsums, *ddelta, *flat, *flat_previous;

/* A thread an input, which adds to the sixteen sums of its block. */
__global__ void forward(int n, const float *units, const float *weights, float *sums)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 1; j < H; j++) {
        float sum = bench_block_reduce<bench_sum>(k <= n ? weights[(size_t)k * H + j] * units[k] : 0.0f);
        if (bench_first_of_block())
            atomicAdd(&sums[j], sum);
    }
}

__global__ void adjust(int n, const float *delta, const float *units, float *weights, float *previous)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x, k = at / H, j = at % H;
    if (k > n || j == 0)
        return;
    float new_dw = ETA * delta[j] * units[k] + MOMENTUM * previous[at];
    weights[at] += new_dw;
    previous[at] = new_dw;
}

LINKAGE void to_device(void)
{
    size_t n = net->input_n + 1;
    if (flat == NULL) {
        CUDA_CHECK(cudaMallocHost(&flat, n * H * sizeof(float)));
        CUDA_CHECK(cudaMallocHost(&flat_previous, n * H * sizeof(float)));
    }
    net->input_units[0] = 1.0f;
    for (size_t i = 0; i < n; i++) {
        memcpy(flat + i * H, net->input_weights[i], H * sizeof(float));
        memcpy(flat_previous + i * H, net->input_prev_weights[i], H * sizeof(float));
    }
    put(dunits, net->input_units, n);
    put(dweights, flat, n * H);
    put(dprevious, flat_previous, n * H);
    room(dsums, H);
}

LINKAGE void compute(void)
{
    int n = net->input_n;
    CUDA_CHECK(cudaMemset(dsums, 0, H * sizeof(float)));
    forward<<<bench_blocks(n + 1, BENCH_BLOCK), BENCH_BLOCK>>>(n, dunits, dweights, dsums);
    get(net->hidden_units, dsums, H);
    for (int j = 1; j < H; j++)
        net->hidden_units[j] = squash(net->hidden_units[j]);
    serial_forward(net->hidden_units, net->output_units, net->hidden_weights, net->hidden_n, net->output_n);
    float o = net->output_units[1];
    net->output_delta[1] = o * (1.0f - o) * (net->target[1] - o);
    for (int j = 1; j <= net->hidden_n; j++) {
        float h = net->hidden_units[j];
        net->hidden_delta[j] = h * (1.0f - h) * net->output_delta[1] * net->hidden_weights[j][1];
    }
    serial_adjust(net->output_delta, net->output_n, net->hidden_units, net->hidden_n, net->hidden_weights,
                  net->hidden_prev_weights);
    put(ddelta, net->hidden_delta, H);
    adjust<<<bench_blocks((n + 1) * (long)H, 256), 256>>>(n, ddelta, dunits, dweights, dprevious);
}

LINKAGE void from_device(void)
{
    size_t n = net->input_n + 1;
    get(flat, dweights, n * H);
    get(flat_previous, dprevious, n * H);
    for (size_t i = 0; i < n; i++) {
        memcpy(net->input_weights[i], flat + i * H, H * sizeof(float));
        memcpy(net->input_prev_weights[i], flat_previous + i * H, H * sizeof(float));
    }
}
