/* KMEANS in CUDA, a point a thread: centres go to the device and sums come back in each step. */
#define FRAME_MAIN
#include "kmeans.h"
#include "input.h"

enum { CLUSTERS = 5, FEATURES = 34 };
static float *dfeature, *dcentres, *dsums;
static int *dmember;

__global__ void nearest(int npoints, const float *feature, const float *centres, int *member, float *sums)
{
    __shared__ float own[CLUSTERS * FEATURES + CLUSTERS];
    for (int k = threadIdx.x; k < CLUSTERS * FEATURES + CLUSTERS; k += blockDim.x)
        own[k] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < npoints) {
        int best = 0;
        float least = FLT_MAX;
        for (int k = 0; k < CLUSTERS; k++) {
            float distance = 0;
            for (int j = 0; j < FEATURES; j++) {
                float d = feature[(size_t)i * FEATURES + j] - centres[k * FEATURES + j];
                distance += d * d;
            }
            if (distance < least) {
                least = distance;
                best = k;
            }
        }
        member[i] = best;
        atomicAdd(&own[CLUSTERS * FEATURES + best], 1.0f);
        for (int j = 0; j < FEATURES; j++)
            atomicAdd(&own[best * FEATURES + j], feature[(size_t)i * FEATURES + j]);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < CLUSTERS * FEATURES + CLUSTERS; k += blockDim.x)
        atomicAdd(&sums[k], own[k]);
}

LINKAGE void to_device(void)
{
    put(dfeature, feature[0], (size_t)npoints * nfeatures);
    room(dcentres, CLUSTERS * FEATURES);
    room(dsums, CLUSTERS * FEATURES + CLUSTERS);
    room(dmember, npoints);
}

LINKAGE void compute(void)
{
    float sums[CLUSTERS * FEATURES + CLUSTERS];
    memcpy(clusters[0], feature[0], CLUSTERS * FEATURES * sizeof(float));
    for (int step = 0; step < steps; step++) {
        put(dcentres, clusters[0], CLUSTERS * FEATURES);
        CUDA_CHECK(cudaMemset(dsums, 0, sizeof sums));
        nearest<<<bench_blocks(npoints, 256), 256>>>(npoints, dfeature, dcentres, dmember, dsums);
        get(sums, dsums, CLUSTERS * FEATURES + CLUSTERS);
        for (int k = 0; k < CLUSTERS; k++)
            for (int j = 0; j < FEATURES; j++)
                if (sums[CLUSTERS * FEATURES + k] > 0)
                    clusters[k][j] = sums[k * FEATURES + j] / sums[CLUSTERS * FEATURES + k];
    }
}

LINKAGE void from_device(void) { get(membership, dmember, npoints); }
