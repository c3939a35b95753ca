// Schedules that the program gives (`#pragma accl schedule`, an extension): each step with each of its parameters, on loops
// whose lengths are no multiples of anything. Results are those of the serial loops.
// devices: cpu opencl cuda
// expect: launches=34
#include "check.h"

#define DO(...) _Pragma(#__VA_ARGS__)
#define N 1003
#define M 67

static float x[N], y[N], z[N], a[M * M], b[M * M], c[M * M], pos[N], force[N];

// One-dimensional loops whose arrays may overlap.
#define ONE(name, ...)                                                        \
    static void name(int n, float *to, const float *from)                     \
    {                                                                         \
        DO(accl schedule(__VA_ARGS__))                                        \
        DO(acc parallel loop copyin(from[0:n]) copy(to[0:n]))                 \
        for (int i = 0; i < n; i++)                                           \
            to[i] = 2 * from[i] + to[i];                                      \
    }
ONE(wide4, vectorize(4))
ONE(wide8, vectorize(8) block(64))
ONE(wide16, vectorize(16))
ONE(jam2, unroll_and_jam(i:2))
ONE(jam4, block(192) unroll_and_jam)
ONE(jam8, unroll_and_jam(i:8) grid(i:x))
ONE(distinct, restrict)
ONE(plain, block(32))

// Sums.
#define SUM(name, ...)                                                        \
    static double name(int n, const float *from)                              \
    {                                                                         \
        double sum = 1;                                                       \
        DO(accl schedule(__VA_ARGS__))                                        \
        DO(acc parallel loop reduction(+:sum) copyin(from[0:n]))              \
        for (int i = 0; i < n; i++)                                           \
            sum += from[i];                                                   \
        return sum;                                                           \
    }
SUM(stride2, grid_stride(2))
SUM(stride32, grid_stride(32) block(64))
SUM(stride8wide, grid_stride(8) vectorize(8))
SUM(sumwide, vectorize)

// Products.
#define PRODUCT(name, ...)                                                    \
    static void name(int n, float *c, const float *a, const float *b)         \
    {                                                                         \
        DO(accl schedule(__VA_ARGS__))                                        \
        DO(acc parallel loop copyin(a[0:n*n], b[0:n*n]) copyout(c[0:n*n]))    \
        for (int i = 0; i < n; i++)                                           \
            DO(acc loop)                                                      \
            for (int j = 0; j < n; j++) {                                     \
                float sum = 0;                                                \
                for (int k = 0; k < n; k++)                                   \
                    sum += a[i * n + k] * b[k * n + j];                       \
                c[i * n + j] = sum;                                           \
            }                                                                 \
    }
PRODUCT(tile8, register_tile(j:8, i:8, k:16))
PRODUCT(tile4, block(16, 16) register_tile(j:4, i:4, k:8))
PRODUCT(turned, grid(i:x, j:y) block(32, 8))
PRODUCT(turned_jam, grid(i:x, j:y) unroll_and_jam(j:2))
PRODUCT(rows, grid(i:x) block(64))
PRODUCT(rows_jam, grid(i:x) unroll_and_jam(i:4))
PRODUCT(square, block(16, 16) restrict)

// All pairs.
#define PAIRS(name, ...)                                                      \
    static void name(int n, float *force, const float *pos)                   \
    {                                                                         \
        DO(accl schedule(__VA_ARGS__))                                        \
        DO(acc parallel loop copyin(pos[0:n]) copyout(force[0:n]))            \
        for (int i = 0; i < n; i++) {                                         \
            float own = pos[i], sum = 0;                                      \
            for (int j = 0; j < n; j++)                                       \
                sum += pos[j] - own;                                          \
            force[i] = sum;                                                   \
        }                                                                     \
    }
PAIRS(stream128, shared_tile(stream:128) coarsen)
PAIRS(stream256, shared_tile(stream:256) coarsen(i:2))
PAIRS(stream512, shared_tile(stream:512))
PAIRS(stream_short, shared_tile(stream:128) index32)
PAIRS(split, split_reduction)
PAIRS(split_restrict, split_reduction(32, 16) restrict)

// Stencils.
#define STENCIL(name, ...)                                                    \
    static void name(int n, float *restrict to, const float *restrict from)   \
    {                                                                         \
        DO(accl schedule(__VA_ARGS__))                                        \
        DO(acc parallel loop collapse(2) copyin(from[0:n*n]) copy(to[0:n*n])) \
        for (int i = 1; i < n - 1; i++)                                       \
            for (int j = 1; j < n - 1; j++)                                   \
                to[i * n + j] = from[i * n + j] + from[i * n + j - 1] + from[i * n + j + 1] \
                    + from[(i - 1) * n + j] + from[(i + 1) * n + j];          \
    }
STENCIL(tile44, shared_tile(stencil) coarsen(j:4, i:4))
STENCIL(tile42, block(32, 8) shared_tile(stencil) coarsen(j:4, i:2))
STENCIL(tile11, shared_tile(stencil))
STENCIL(stencil_jam, unroll_and_jam(i:8) block(32, 4))

// Fewer loops than the clauses join are spread over the launch.
#define JOINED(name, clause, ...)                                             \
    static void name(int n, float *c)                                         \
    {                                                                         \
        DO(accl schedule(__VA_ARGS__))                                        \
        DO(acc parallel loop clause copy(c[0:n*n]))                           \
        for (int i = 0; i < n; i++)                                           \
            for (int j = 0; j < n; j++)                                       \
                c[i * n + j] += i - j;                                        \
    }
JOINED(tiled_rows, tile(4, 8), grid(i:x))
JOINED(tiled_turned, tile(4, 8), grid(i:x, j:y))
JOINED(collapsed_rows, collapse(2), grid(i:x) block(32))

static void set(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i % 13, y[i] = i % 7, pos[i] = i % 5;
    for (int i = 0; i < M * M; i++)
        a[i] = i % 11, b[i] = i % 3, c[i] = 1;
}

static void one(void (*run)(int, float *, const float *), int n)
{
    set();
    run(n, y, x);
    for (int i = 0; i < N; i++)
        check_near("one", i, y[i], i < n ? 2 * (i % 13) + i % 7 : i % 7, 0);
}

static void sum(double (*run)(int, const float *), int n)
{
    double expected = 1;
    set();
    for (int i = 0; i < n; i++)
        expected += x[i];
    check_near("sum", n, run(n, x), expected, 0);
}

static void product(void (*run)(int, float *, const float *, const float *))
{
    set();
    run(M, c, a, b);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            float sum = 0;
            for (int k = 0; k < M; k++)
                sum += a[i * M + k] * b[k * M + j];
            check_near("product", i * M + j, c[i * M + j], sum, 0);
        }
}

static void pairs(void (*run)(int, float *, const float *))
{
    set();
    run(N, force, pos);
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = 0; j < N; j++)
            sum += pos[j] - pos[i];
        check_near("pairs", i, force[i], sum, 0);
    }
}

static void stencil(void (*run)(int, float *restrict, const float *restrict))
{
    set();
    run(M, c, a);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            const float *p = a + i * M + j;
            int inside = i > 0 && j > 0 && i < M - 1 && j < M - 1;
            check_near("stencil", i * M + j, c[i * M + j], inside ? p[0] + p[-1] + p[1] + p[-M] + p[M] : 1, 0);
        }
}

static void joined(void (*run)(int, float *))
{
    set();
    run(M, c);
    for (int i = 0; i < M * M; i++)
        check_near("joined", i, c[i], 1 + i / M - i % M, 0);
}

int main(void)
{
    one(wide4, N), one(wide8, N), one(wide16, N - 2), one(jam2, N), one(jam4, N), one(jam8, 5), one(distinct, N);
    one(plain, N), one(wide4, 0), one(jam8, 0), one(wide16, 1);
    // What is written is also read by another name: the version that needs nothing runs.
    for (int i = 0; i < N; i++)
        z[i] = x[i];
    wide4(N, z, z);
    for (int i = 0; i < N; i++)
        check_near("alias", i, z[i], 3 * (i % 13), 0);
    sum(stride2, N), sum(stride32, N), sum(stride8wide, N), sum(sumwide, N), sum(stride2, 0);
    product(tile8), product(tile4), product(turned), product(turned_jam), product(rows), product(rows_jam), product(square);
    pairs(stream128), pairs(stream256), pairs(stream512), pairs(stream_short), pairs(split), pairs(split_restrict);
    stencil(tile44), stencil(tile42), stencil(tile11), stencil(stencil_jam);
    joined(tiled_rows), joined(tiled_turned), joined(collapsed_rows);
    return finish();
}
