/* The dyadic convolution by its definition in CUDA, an element of the result a thread. */
#include "dyadic.h"
#ifdef COMPRESSED
#include "../common/compressed.cuh"
typedef unsigned short element;
#define VALUE(x) bench_decode(x, scale, bias)
#else
typedef float element;
#define VALUE(x) (x)
#endif

__global__ void dyadic_kernel(int n, const element *a, const element *b, float *c, float scale, float bias)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++)
            sum += VALUE(a[j]) * VALUE(b[i ^ j]);
        c[i] = sum;
    }
}

static void dyadic(int n, const float *a, const float *b, float *c, bench_timer *t)
{
    const int block = 128;
    float scale = 0, bias = 0;
#ifdef COMPRESSED
    bench_keys keys = bench_range(1.0);
    scale = (float)keys.scale, bias = (float)keys.bias;
    element *da = bench_device_encoded(a, n, keys);
    element *db = bench_device_encoded(b, n, keys);
#else
    element *da = bench_device(a, n);
    element *db = bench_device(b, n);
#endif
    float *dc = bench_device<float>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            dyadic_kernel<<<bench_blocks(n, block), block>>>(n, da, db, dc, scale, bias);
        bench_wait();
    }
    bench_fetch(c, dc, n);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
