/* CFD in CUDA, a cell a thread. */
#define FRAME_MAIN
#include "cfd.h"

static float *dareas, *dnormals, *dvariables, *dold, *dfluxes, *dfactors, *dff;
static int *daround;

__global__ void step_factor(int nel, const float *variables, const float *areas, float *factors)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nel)
        factors[i] = step_factor_of(i, nel, variables, areas);
}

__global__ void flux(int nel, const int *around, const float *normals, const float *variables, const float *ff, float *fluxes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nel)
        flux_of(i, nel, around, normals, variables, ff, fluxes);
}

__global__ void advance(int j, int nel, const float *old, float *variables, const float *factors, const float *fluxes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nel) {
        float factor = factors[i] / (float)(RK + 1 - j);
        for (int k = 0; k < NVAR; k++)
            variables[i + k * nel] = old[i + k * nel] + factor * fluxes[i + k * nel];
    }
}

LINKAGE void to_device(void)
{
    put(dareas, areas, nel);
    put(daround, elements_surrounding_elements, (size_t)nel * NNB);
    put(dnormals, normals, (size_t)nel * NNB * NDIM);
    put(dvariables, variables, (size_t)nel * NVAR);
    put(dff, ff_variable, NVAR);
    room(dold, (size_t)nel * NVAR);
    room(dfluxes, (size_t)nel * NVAR);
    room(dfactors, nel);
}

LINKAGE void compute(void)
{
    unsigned blocks = bench_blocks(nel, 192);
    for (int step = 0; step < iterations; step++) {
        CUDA_CHECK(cudaMemcpyAsync(dold, dvariables, (size_t)nel * NVAR * sizeof(float), cudaMemcpyDeviceToDevice));
        step_factor<<<blocks, 192>>>(nel, dvariables, dareas, dfactors);
        for (int j = 0; j < RK; j++) {
            flux<<<blocks, 192>>>(nel, daround, dnormals, dvariables, dff, dfluxes);
            advance<<<blocks, 192>>>(j, nel, dold, dvariables, dfactors, dfluxes);
        }
    }
}

LINKAGE void from_device(void) { get(variables, dvariables, (size_t)nel * NVAR); }
