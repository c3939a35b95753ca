/* Flow on an unstructured grid in CUDA, a cell a thread. */
#include "cfd.h"

__global__ void step_factors(int n, const float *variable, const float *area, float *factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        flow f = flow_of(state_at(n, variable, i));
        factor[i] = 0.5f / (sqrtf(area[i]) * (f.speed + f.sound));
    }
}

__global__ void fluxes(int n, const int *behind, const float *normal, const float *variable, state far_away, float *flux)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    state own = state_at(n, variable, i), sum = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    flow here = flow_of(own);
#pragma unroll
    for (int k = 0; k < FACES; k++)
        sum = through_face(sum, n, behind, normal, variable, far_away, i, k, own, here);
    flux[i] = sum.density;
    flux[n + i] = sum.x;
    flux[2 * n + i] = sum.y;
    flux[3 * n + i] = sum.z;
    flux[4 * n + i] = sum.energy;
}

__global__ void advance(int n, int parts, const float *old, const float *factor, const float *flux, float *variable)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float part = factor[i] / parts;
#pragma unroll
    for (int v = 0; v < VARIABLES; v++)
        variable[v * n + i] = old[v * n + i] + part * flux[v * n + i];
}

static void cfd(mesh m, int steps, float *variable, bench_timer *t)
{
    const int n = m.n, threads = 192;
    const size_t all = (size_t)VARIABLES * n, bytes = all * sizeof(float);
    const unsigned blocks = bench_blocks(n, threads);
    int *behind = bench_device(m.behind, (size_t)FACES * n);
    float *normal = bench_device(m.normal, (size_t)FACES * AXES * n);
    float *area = bench_device(m.area, n);
    float *start = bench_device(m.start, all);
    float *dvariable = bench_device<float>(NULL, all);
    float *old = bench_device<float>(NULL, all);
    float *flux = bench_device<float>(NULL, all);
    float *factor = bench_device<float>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            CUDA_CHECK(cudaMemcpyAsync(dvariable, start, bytes, cudaMemcpyDeviceToDevice));
            for (int step = 0; step < steps; step++) {
                CUDA_CHECK(cudaMemcpyAsync(old, dvariable, bytes, cudaMemcpyDeviceToDevice));
                step_factors<<<blocks, threads>>>(n, dvariable, area, factor);
                for (int stage = 0; stage < STAGES; stage++) {
                    fluxes<<<blocks, threads>>>(n, behind, normal, dvariable, m.far_away, flux);
                    advance<<<blocks, threads>>>(n, STAGES + 1 - stage, old, factor, flux, dvariable);
                }
            }
        }
        bench_wait();
    }
    bench_fetch(variable, dvariable, all);
    CUDA_CHECK(cudaFree(behind));
    CUDA_CHECK(cudaFree(normal));
    CUDA_CHECK(cudaFree(area));
    CUDA_CHECK(cudaFree(start));
    CUDA_CHECK(cudaFree(dvariable));
    CUDA_CHECK(cudaFree(old));
    CUDA_CHECK(cudaFree(flux));
    CUDA_CHECK(cudaFree(factor));
}
