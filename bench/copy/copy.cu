/* Copies of doubles in CUDA, one element a thread. */
#include "copy.h"
#ifdef COMPRESSED
#include "../common/compressed.cuh"
typedef unsigned element;
#else
typedef double element;
#endif

struct keys {
    double scale, bias, inverse;
};

template <int pattern>
__global__ void copy_kernel(int n, const element *a, element *b, const int *index, keys k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int from = pattern == REVERSE    ? n - 1 - i
               : pattern == STRIDED  ? (int)((long)i * STRIDE % n)
               : pattern == GATHERED ? index[i]
                                     : i;
#ifdef COMPRESSED
    b[i] = bench_encode(bench_decode(a[from], k.scale, k.bias), k.inverse);
#else
    b[i] = a[from];
#endif
}

static void copy(int n, int pattern, const double *a, double *b, const int *index, bench_timer *t)
{
    const int block = 256;
    keys k = {0, 0, 0};
#ifdef COMPRESSED
    bench_keys range = bench_range(100.0);
    k.scale = range.scale, k.bias = range.bias, k.inverse = range.inverse;
    element *da = bench_device_encoded(a, n, range);
#else
    element *da = bench_device(a, n);
#endif
    element *db = bench_device<element>(NULL, n);
    int *di = bench_device(index, n);
    void (*const kernels[PATTERNS])(int, const element *, element *, const int *, keys) = {
        copy_kernel<STRAIGHT>, copy_kernel<REVERSE>, copy_kernel<STRIDED>, copy_kernel<GATHERED>};
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            kernels[pattern]<<<bench_blocks(n, block), block>>>(n, da, db, di, k);
        bench_wait();
    }
#ifdef COMPRESSED
    bench_fetch_encoded(b, db, n, range);
#else
    bench_fetch(b, db, n);
#endif
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(di));
}
