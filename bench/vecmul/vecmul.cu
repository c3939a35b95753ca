/* The product of two vectors, element by element, in CUDA, one element a thread. */
#include "vecmul.h"

#ifdef COMPRESSED
#include "../common/compressed.cuh"

/* Eight elements a thread, in 16-byte accesses; one a thread would be no faster than plain floats. */
__global__ void vecmul_kernel(int n, const unsigned short *a, const unsigned short *b, unsigned short *c, float scale,
                              float bias, float inverse)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (i + 8 <= n) {
        uint4 x = *(const uint4 *)&a[i], y = *(const uint4 *)&b[i], z;
        const unsigned *xs = &x.x, *ys = &y.x;
        unsigned *zs = &z.x;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float low = bench_decode((unsigned short)xs[k], scale, bias) * bench_decode((unsigned short)ys[k], scale, bias);
            float high = bench_decode((unsigned short)(xs[k] >> 16), scale, bias) *
                         bench_decode((unsigned short)(ys[k] >> 16), scale, bias);
            zs[k] = bench_encode(low, inverse) | (unsigned)bench_encode(high, inverse) << 16;
        }
        *(uint4 *)&c[i] = z;
    } else {
        for (; i < n; i++)
            c[i] = bench_encode(bench_decode(a[i], scale, bias) * bench_decode(b[i], scale, bias), inverse);
    }
}

static void vecmul(int n, const float *a, const float *b, float *c, bench_timer *t)
{
    const int block = 256;
    bench_keys in = bench_range(LIMIT), out = bench_range(LIMIT * LIMIT);
    unsigned short *da = bench_device_encoded(a, n, in);
    unsigned short *db = bench_device_encoded(b, n, in);
    unsigned short *dc = bench_device<unsigned short>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            vecmul_kernel<<<bench_blocks(n, 8 * block), block>>>(n, da, db, dc, (float)in.scale, (float)in.bias,
                                                                 (float)out.inverse);
        bench_wait();
    }
    bench_fetch_encoded(c, dc, n, out);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
#else
__global__ void vecmul_kernel(int n, const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] * b[i];
}

static void vecmul(int n, const float *a, const float *b, float *c, bench_timer *t)
{
    const int block = 256;
    float *da = bench_device(a, n);
    float *db = bench_device(b, n);
    float *dc = bench_device<float>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            vecmul_kernel<<<bench_blocks(n, block), block>>>(n, da, db, dc);
        bench_wait();
    }
    bench_fetch(c, dc, n);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
#endif
