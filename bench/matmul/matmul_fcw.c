/* c = a b with tiles of both factors in shared memory, said with `fcw`. */
#ifdef CACHE
#define BENCH_NAME "matmul_cache"
#elif defined COMPRESSED
#define BENCH_NAME "matmul_fcw_c"
#else
#define BENCH_NAME "matmul_fcw"
#endif
#include "matmul.h"

#define TILE 32

#ifdef COMPRESSED
#define HELD compression(a, b)
#else
#define HELD
#endif

static void product(int n, const float (*restrict a)[n], const float (*restrict b)[n], float (*restrict c)[n])
{
#ifdef CACHE
#pragma acc parallel loop tile(TILE, TILE) present(a[:n][:n], b[:n][:n], c[:n][:n]) async(1)
#else
#pragma acc parallel loop vector(TILE) present(a[:n][:n], b[:n][:n], c[:n][:n]) HELD async(1)
#endif
    for (int i = 0; i < n; i++) {
#ifndef CACHE
#pragma acc loop vector(TILE)
#endif
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int l = 0; l < n; l += TILE) {
                int column = (j & (TILE - 1)) + l, row = (i & (TILE - 1)) + l;
#ifdef CACHE
#pragma acc cache(a[i:1][l:TILE], b[l:TILE][j:1])
#else
#pragma acc fcw FETCH_ONLY(a[i:0:0:column:0:0], b[row:0:0:j:0:0])
#endif
                if (l + TILE <= n) {
                    for (int k = l; k < l + TILE; k++)
                        sum += a[i][k] * b[k][j];
                } else {
                    for (int k = l; k < n; k++)
                        sum += a[i][k] * b[k][j];
                }
            }
            c[i][j] = sum;
        }
    }
}

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict c,
                   bench_timer *t)
{
#ifdef COMPRESSED
#pragma acc data ccopyin(a[:n * n:0:1], b[:n * n:0:1]) copyout(c[:n * n])
#else
#pragma acc data copyin(a[:n * n], b[:n * n]) copyout(c[:n * n])
#endif
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            product(n, (const float(*)[n])a, (const float(*)[n])b, (float(*)[n])c);
#pragma acc wait
    }
}
