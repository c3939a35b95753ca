/* JACOBI in CUDA, an element a thread. */
#define FRAME_MAIN
#include "jacobi.h"

static float *da, *db;

__global__ void relax(int n, float *a, const float *b)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    size_t at = (size_t)i * MAX + j;
    if (i <= n && j <= n)
        a[at] = (b[at - MAX] + b[at + MAX] + b[at - 1] + b[at + 1]) / 4.0f;
}

__global__ void copy(int n, const float *a, float *b)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    size_t at = (size_t)i * MAX + j;
    if (i <= n && j <= n)
        b[at] = a[at];
}

LINKAGE void to_device(void)
{
    put(db, &b[0][0], (size_t)(n + 2) * MAX);
    room(da, (size_t)(n + 2) * MAX);
}

LINKAGE void compute(void)
{
    dim3 block(32, 8), grid(bench_blocks(n, 32), bench_blocks(n, 8));
    for (int k = 0; k < steps; k++) {
        relax<<<grid, block>>>(n, da, db);
        copy<<<grid, block>>>(n, da, db);
    }
}

LINKAGE void from_device(void) { get(&b[0][0], db, (size_t)(n + 2) * MAX); }
