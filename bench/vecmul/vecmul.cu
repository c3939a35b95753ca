/* The product of two vectors, element by element, in CUDA, one element a thread. */
#include "vecmul.h"

#ifdef COMPRESSED
#include "../common/compressed.cuh"
#endif

#if defined(BLOCK)
/* Eight elements a thread, a quarter of a group: four threads find its largest magnitude together. */
__global__ void vecmul_kernel(int n, const unsigned short *a, const unsigned char *a_exponents, const unsigned short *b,
                              const unsigned char *b_exponents, unsigned short *c, unsigned char *c_exponents)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    float z[8], largest = 0;
    if (i < n) {
        uint4 x = *(const uint4 *)&a[i], y = *(const uint4 *)&b[i];
        unsigned x_exponent = a_exponents[i / 32], y_exponent = b_exponents[i / 32];
        const unsigned *xs = &x.x, *ys = &y.x;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            z[k] = bench_of_steps(xs[k / 2] >> k % 2 * 16, x_exponent) * bench_of_steps(ys[k / 2] >> k % 2 * 16, y_exponent);
            largest = fmaxf(largest, fabsf(z[k]));
        }
    }
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 1));
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 2));
    if (i >= n)
        return;
    unsigned exponent = bench_exponent(largest);
    uint4 out;
    unsigned *zs = &out.x;
#pragma unroll
    for (int k = 0; k < 4; k++)
        zs[k] = bench_steps(z[2 * k], exponent) | bench_steps(z[2 * k + 1], exponent) << 16;
    *(uint4 *)&c[i] = out;
    if (i % 32 == 0)
        c_exponents[i / 32] = exponent;
}

static void vecmul(int n, const float *a, const float *b, float *c, bench_timer *t)
{
    const int block = 256;
    size_t groups = ((size_t)n + 31) / 32, count = groups * 32;
    unsigned short *host = (unsigned short *)bench_alloc(count, sizeof *host);
    unsigned char *exponents = (unsigned char *)bench_alloc(groups, 1);
    bench_encode_block(a, n, host, exponents);
    unsigned short *da = bench_device(host, count);
    unsigned char *ea = bench_device(exponents, groups);
    bench_encode_block(b, n, host, exponents);
    unsigned short *db = bench_device(host, count), *dc = bench_device<unsigned short>(NULL, count);
    unsigned char *eb = bench_device(exponents, groups), *ec = bench_device<unsigned char>(NULL, groups);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            vecmul_kernel<<<bench_blocks(count, 8 * block), block>>>(count, da, ea, db, eb, dc, ec);
        bench_wait();
    }
    bench_fetch(host, dc, count);
    bench_fetch(exponents, ec, groups);
    for (int i = 0; i < n; i++)
        c[i] = bench_of_steps(host[i], exponents[i / 32]);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
    CUDA_CHECK(cudaFree(ea));
    CUDA_CHECK(cudaFree(eb));
    CUDA_CHECK(cudaFree(ec));
    free(host);
    free(exponents);
}
#elif defined(BITS)
/* A group of 32 elements a thread, which begins and ends with a word. */
__global__ void vecmul_kernel(int groups, const unsigned *a, const unsigned *b, unsigned *c, float scale, float bias,
                              float inverse)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= groups)
        return;
    bench_group<BITS> x, y, z = {};
    x.load(&a[at * BITS]);
    y.load(&b[at * BITS]);
#pragma unroll
    for (int k = 0; k < 32; k++)
        z.put(k, bench_narrow<BITS>(bench_widen<BITS>(x.get(k), scale, bias) * bench_widen<BITS>(y.get(k), scale, bias),
                                    inverse));
    z.store(&c[at * BITS]);
}

static void vecmul(int n, const float *a, const float *b, float *c, bench_timer *t)
{
    const int block = 256, groups = (n + 31) / 32;
    bench_keys in = bench_range(LIMIT), out = bench_range(LIMIT * LIMIT);
    unsigned *da = bench_device_packed<BITS>(a, n, in), *db = bench_device_packed<BITS>(b, n, in);
    unsigned *dc = bench_device<unsigned>(NULL, bench_words<BITS>(n));
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            vecmul_kernel<<<bench_blocks(groups, block), block>>>(groups, da, db, dc, (float)in.scale, (float)in.bias,
                                                                  (float)out.inverse);
        bench_wait();
    }
    bench_fetch_packed<BITS>(c, dc, n, out);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
#elif defined(COMPRESSED)
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
