/* The sum of two matrices in CUDA: one element a thread; compressed, four in 16-byte accesses. */
#include "matadd.h"

#ifdef COMPRESSED
#include "../common/compressed.cuh"
#endif

#if defined(BITS)
/* A group of 32 elements a thread, which begins and ends with a word. */
__global__ void matadd_kernel(int groups, const unsigned *a, const unsigned *b, unsigned *c, bench_keys in,
                              double inverse)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= groups)
        return;
    bench_group<BITS> x, y, z = {};
    x.load(&a[at * BITS]);
    y.load(&b[at * BITS]);
#pragma unroll
    for (int k = 0; k < 32; k++)
        z.put(k, bench_narrow<BITS>(bench_widen<BITS>(x.get(k), in.scale, in.bias) +
                                        bench_widen<BITS>(y.get(k), in.scale, in.bias),
                                    inverse));
    z.store(&c[at * BITS]);
}

static void matadd(int n, const double *a, const double *b, double *c, bench_timer *t)
{
    const int block = 256, count = n * n, groups = (count + 31) / 32;
    bench_keys in = bench_range(1.0), out = bench_range(2.0);
    unsigned *da = bench_device_packed<BITS>(a, count, in), *db = bench_device_packed<BITS>(b, count, in);
    unsigned *dc = bench_device<unsigned>(NULL, bench_words<BITS>(count));
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            matadd_kernel<<<bench_blocks(groups, block), block>>>(groups, da, db, dc, in, out.inverse);
        bench_wait();
    }
    bench_fetch_packed<BITS>(c, dc, count, out);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
#elif defined(COMPRESSED)
__global__ void matadd_kernel(int n, const unsigned *a, const unsigned *b, unsigned *c, bench_keys in, double inverse)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 4 <= n) {
        uint4 x = *(const uint4 *)&a[i], y = *(const uint4 *)&b[i], z;
        z.x = bench_encode(bench_decode(x.x, in.scale, in.bias) + bench_decode(y.x, in.scale, in.bias), inverse);
        z.y = bench_encode(bench_decode(x.y, in.scale, in.bias) + bench_decode(y.y, in.scale, in.bias), inverse);
        z.z = bench_encode(bench_decode(x.z, in.scale, in.bias) + bench_decode(y.z, in.scale, in.bias), inverse);
        z.w = bench_encode(bench_decode(x.w, in.scale, in.bias) + bench_decode(y.w, in.scale, in.bias), inverse);
        *(uint4 *)&c[i] = z;
    } else {
        for (; i < n; i++)
            c[i] = bench_encode(bench_decode(a[i], in.scale, in.bias) + bench_decode(b[i], in.scale, in.bias), inverse);
    }
}

static void matadd(int n, const double *a, const double *b, double *c, bench_timer *t)
{
    const int block = 256, count = n * n;
    bench_keys in = bench_range(1.0), out = bench_range(2.0);
    unsigned *da = bench_device_encoded(a, count, in);
    unsigned *db = bench_device_encoded(b, count, in);
    unsigned *dc = bench_device<unsigned>(NULL, count);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            matadd_kernel<<<bench_blocks(count, 4 * block), block>>>(count, da, db, dc, in, out.inverse);
        bench_wait();
    }
    bench_fetch_encoded(c, dc, count, out);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
#else
__global__ void matadd_kernel(int n, const double *a, const double *b, double *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

static void matadd(int n, const double *a, const double *b, double *c, bench_timer *t)
{
    const int block = 256, count = n * n;
    double *da = bench_device(a, count);
    double *db = bench_device(b, count);
    double *dc = bench_device<double>(NULL, count);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            matadd_kernel<<<bench_blocks(count, block), block>>>(count, da, db, dc);
        bench_wait();
    }
    bench_fetch(c, dc, count);
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
#endif
