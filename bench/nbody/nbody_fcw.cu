/* Bodies in CUDA, one body a thread, the others by way of shared memory. */
#ifdef CACHE
#define BENCH_NAME "nbody_cache"
#else
#define BENCH_NAME "nbody_fcw"
#endif
#include "nbody.h"

#define TILE 256

typedef struct {
    float *x, *y, *z, *vx, *vy, *vz;
} bodies;

__global__ void step(int n, bodies old, const float *mass, bodies next)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    int own = min(i, n - 1);
    float xi = old.x[own], yi = old.y[own], zi = old.z[own];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        int k = first + threadIdx.x;
        if (k < n)
            tile[threadIdx.x] = make_float4(old.x[k], old.y[k], old.z[k], mass[k]);
        __syncthreads();
        int count = min(TILE, n - first);
        for (int j = 0; j < count; j++) {
            float4 other = tile[j];
            float dx = other.x - xi, dy = other.y - yi, dz = other.z - zi;
            float square = dx * dx + dy * dy + dz * dz + SOFTENING;
            float inverse = rsqrtf(square);
            float factor = other.w * inverse * inverse * inverse;
            ax += dx * factor;
            ay += dy * factor;
            az += dz * factor;
        }
        __syncthreads();
    }
    if (i >= n)
        return;
    next.vx[i] = old.vx[i] + TIME_STEP * ax;
    next.vy[i] = old.vy[i] + TIME_STEP * ay;
    next.vz[i] = old.vz[i] + TIME_STEP * az;
    next.x[i] = xi + TIME_STEP * next.vx[i];
    next.y[i] = yi + TIME_STEP * next.vy[i];
    next.z[i] = zi + TIME_STEP * next.vz[i];
}

static bodies allocate(int n, bool filled)
{
    bodies b;
    b.x = bench_device<float>(filled ? x : NULL, n);
    b.y = bench_device<float>(filled ? y : NULL, n);
    b.z = bench_device<float>(filled ? z : NULL, n);
    b.vx = bench_device<float>(filled ? vx : NULL, n);
    b.vy = bench_device<float>(filled ? vy : NULL, n);
    b.vz = bench_device<float>(filled ? vz : NULL, n);
    return b;
}

static void release(bodies b)
{
    CUDA_CHECK(cudaFree(b.x));
    CUDA_CHECK(cudaFree(b.y));
    CUDA_CHECK(cudaFree(b.z));
    CUDA_CHECK(cudaFree(b.vx));
    CUDA_CHECK(cudaFree(b.vy));
    CUDA_CHECK(cudaFree(b.vz));
}

static void nbody(int n, bench_timer *t)
{
    const int block = TILE;
    bodies old = allocate(n, true), next = allocate(n, false);
    float *dmass = bench_device<float>(mass, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            step<<<bench_blocks(n, block), block>>>(n, old, dmass, next);
        bench_wait();
    }
    bench_fetch(new_x, next.x, n);
    bench_fetch(new_y, next.y, n);
    bench_fetch(new_z, next.z, n);
    bench_fetch(new_vx, next.vx, n);
    bench_fetch(new_vy, next.vy, n);
    bench_fetch(new_vz, next.vz, n);
    release(old);
    release(next);
    CUDA_CHECK(cudaFree(dmass));
}
