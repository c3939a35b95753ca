/* SRAD in CUDA: the window comes to the host in each step, in one copy of its rows. */
#define FRAME_MAIN
#include "srad.h"

static float *dJ, *ddN, *ddS, *ddW, *ddE, *dc, *window;

__global__ void gradients(int rows, int cols, const float *J, float *dN, float *dS, float *dW, float *dE, float *c, float q0sqr)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, k = i * cols + j;
    if (i >= rows || j >= cols)
        return;
    float here = J[k], n = (i ? J[k - cols] : here) - here, s = (i < rows - 1 ? J[k + cols] : here) - here;
    float w = (j ? J[k - 1] : here) - here, e = (j < cols - 1 ? J[k + 1] : here) - here;
    dN[k] = n;
    dS[k] = s;
    dW[k] = w;
    dE[k] = e;
    c[k] = coefficient(here, n, s, w, e, q0sqr);
}

__global__ void diffuse(int rows, int cols, float *J, const float *dN, const float *dS, const float *dW, const float *dE,
                        const float *c, float lambda)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, k = i * cols + j;
    if (i >= rows || j >= cols)
        return;
    float below = i < rows - 1 ? c[k + cols] : c[k], beside = j < cols - 1 ? c[k + 1] : c[k];
    J[k] += 0.25f * lambda * (c[k] * dN[k] + below * dS[k] + c[k] * dW[k] + beside * dE[k]);
}

LINKAGE void to_device(void)
{
    size_t size = (size_t)rows * cols;
    put(dJ, J, size);
    room(ddN, size);
    room(ddS, size);
    room(ddW, size);
    room(ddE, size);
    room(dc, size);
    if (window == NULL)
        CUDA_CHECK(cudaMallocHost(&window, size * sizeof *window));
}

LINKAGE void compute(void)
{
    dim3 block(32, 8), grid(bench_blocks(cols, 32), bench_blocks(rows, 8));
    for (int step = 0; step < niter; step++) {
        CUDA_CHECK(cudaMemcpy2D(window, cols * sizeof(float), dJ, cols * sizeof(float), (c2 + 1) * sizeof(float), r2 + 1,
                                cudaMemcpyDeviceToHost));
        frame_downloads++;
        float q0sqr = q0sqr_of(window);
        gradients<<<grid, block>>>(rows, cols, dJ, ddN, ddS, ddW, ddE, dc, q0sqr);
        diffuse<<<grid, block>>>(rows, cols, dJ, ddN, ddS, ddW, ddE, dc, lambda);
    }
}

LINKAGE void from_device(void) { get(J, dJ, (size_t)rows * cols); }
