/* Forces between particles in boxes in CUDA: a block for a box, a thread for a particle of it, and the
 * neighbours' particles by way of shared memory. */
#include "lavamd.h"

__global__ void forces(const int *count, const int *near, const four *particle, four *force)
{
    __shared__ four theirs[PARTICLES];
    const int box = blockIdx.x, i = threadIdx.x;
    four a = particle[box * PARTICLES + i], sum = {0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < count[box]; k++) {
        theirs[i] = particle[near[box * NEAR + k] * PARTICLES + i];
        __syncthreads();
        for (int j = 0; j < PARTICLES; j++) {
            four b = theirs[j];
            double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
            double strength = b.w * exp(-DECAY * (x * x + y * y + z * z));
            sum.x += strength * x;
            sum.y += strength * y;
            sum.z += strength * z;
            sum.w += strength;
        }
        __syncthreads();
    }
    force[box * PARTICLES + i] = sum;
}

static void lavamd(space s, const four *particle, four *force, bench_timer *t)
{
    const size_t particles = (size_t)s.boxes * PARTICLES;
    int *count = bench_device(s.count, s.boxes);
    int *near = bench_device(s.near, (size_t)s.boxes * NEAR);
    four *dparticle = bench_device(particle, particles);
    four *dforce = bench_device<four>(NULL, particles);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            forces<<<s.boxes, PARTICLES>>>(count, near, dparticle, dforce);
        bench_wait();
    }
    bench_fetch(force, dforce, particles);
    CUDA_CHECK(cudaFree(count));
    CUDA_CHECK(cudaFree(near));
    CUDA_CHECK(cudaFree(dparticle));
    CUDA_CHECK(cudaFree(dforce));
}
