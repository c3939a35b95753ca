// Schedules that the program gives for kernels with windows (`fcw`), and for compressed arrays.
// devices: cpu opencl cuda
// expect: launches=19
#include "check.h"

#define DO(...) _Pragma(#__VA_ARGS__)
#define N 1003

static float x[N], y[N], packed[N];

#define WINDOW(name, ...)                                                     \
    static void name(int n, float *to, const float *from)                     \
    {                                                                         \
        DO(accl schedule(__VA_ARGS__))                                        \
        DO(acc parallel loop vector(128) copyin(from[0:n]) copy(to[0:n]))     \
        for (int i = 1; i < n - 1; i++) {                                     \
            DO(acc fcw FETCH_ONLY(from[i:1:1]))                               \
            {                                                                 \
                to[i] = from[i - 1] + from[i] + from[i + 1];                  \
            }                                                                 \
        }                                                                     \
    }
WINDOW(as_said, shared_tile(directive))
WINDOW(split, block(64) split_block(64))
WINDOW(narrow, index32)
WINDOW(full, full_blocks restrict)
WINDOW(narrow_distinct, restrict index32 block(128))

#define ROUNDS(name, ...)                                                     \
    static void name(int n, float *to, const float *from)                     \
    {                                                                         \
        DO(accl schedule(__VA_ARGS__))                                        \
        DO(acc parallel loop vector(64) copyin(from[0:n]) copyout(to[0:n]))   \
        for (int i = 0; i < n; i++) {                                         \
            float sum = 0;                                                    \
            for (int first = 0; first < n; first += 59) {                     \
                DO(acc fcw FETCH_ONLY(from[first:0:58]))                      \
                {                                                             \
                    for (int j = 0; j < 59; j++)                              \
                        sum += from[first + j];                               \
                }                                                             \
            }                                                                 \
            to[i] = sum - from[i];                                            \
        }                                                                     \
    }
ROUNDS(coarse, coarsen(i:2))
ROUNDS(coarse_open, coarsen)

// Packed elements of 20 bits; they are off by 0.004 at most.
#define PACKED(name, ...)                                                     \
    static void name(int n, float *to)                                        \
    {                                                                         \
        DO(acc data ccopyin(bits(20): packed[0:N:0:4095]) copy(to[0:n]))      \
        {                                                                     \
            DO(accl schedule(__VA_ARGS__))                                    \
            DO(acc parallel loop compression(packed) present(packed, to))     \
            for (int i = 0; i < n; i++)                                       \
                to[i] += packed[i];                                           \
        }                                                                     \
    }
PACKED(staged, stage_shared)
PACKED(decoded, decode(copy))
PACKED(decoded_wide, decode(copy) vectorize(4))
PACKED(direct, block(64))

// All pairs, and neighbourhoods, of such elements.
#define PACKED_PAIRS(name, ...)                                               \
    static void name(int n, float *to)                                        \
    {                                                                         \
        DO(acc data ccopyin(bits(20): packed[0:N:0:4095]) copyout(to[0:n]))   \
        {                                                                     \
            DO(accl schedule(__VA_ARGS__))                                    \
            DO(acc parallel loop compression(packed) present(packed, to))     \
            for (int i = 0; i < n; i++) {                                     \
                float own = packed[i], sum = 0;                               \
                for (int j = 0; j < n; j++)                                   \
                    sum += packed[j] - own;                                   \
                to[i] = sum;                                                  \
            }                                                                 \
        }                                                                     \
    }
PACKED_PAIRS(pairs_decoded, decode(copy) shared_tile(stream:128) coarsen)

#define SIDE 31
#define PACKED_STENCIL(name, ...)                                             \
    static void name(int n, float *restrict to)                               \
    {                                                                         \
        DO(acc data ccopyin(bits(20): packed[0:N:0:4095]) copy(to[0:N]))      \
        {                                                                     \
            DO(accl schedule(__VA_ARGS__))                                    \
            DO(acc parallel loop collapse(2) compression(packed) present(packed, to)) \
            for (int i = 1; i < n - 1; i++)                                   \
                for (int j = 1; j < n - 1; j++)                               \
                    to[i * n + j] = packed[i * n + j] + packed[i * n + j - 1] \
                        + packed[i * n + j + 1] + packed[(i - 1) * n + j] + packed[(i + 1) * n + j]; \
        }                                                                     \
    }
PACKED_STENCIL(stencil_decoded, decode(copy) shared_tile(stencil))
PACKED_STENCIL(stencil_coarse, decode(copy) shared_tile(stencil) coarsen(j:4, i:4))

// Block arrays, whose groups of 32 elements have a scale each: these numbers are exact in 16 bits.
#define GROUPS(name, ...)                                                     \
    static void name(int n)                                                   \
    {                                                                         \
        DO(acc data ccopy(scheme(block), bits(16): packed[0:N]) copyin(x))    \
        {                                                                     \
            DO(accl schedule(__VA_ARGS__))                                    \
            DO(acc parallel loop compression(packed) present(packed, x))      \
            for (int i = 0; i < n; i++)                                       \
                packed[i] = x[i] + 1;                                         \
        }                                                                     \
    }
GROUPS(shared_groups, encode_groups(4))
GROUPS(own_groups, encode_groups(32))
GROUPS(copies, block(128))

static double groups_sum(int n)
{
    double sum = 0;
#pragma acc data ccopy(scheme(block), bits(16): packed[0:N]) copyin(x)
    {
#pragma accl schedule(encode_groups(32) grid_stride(2))
#pragma acc parallel loop compression(packed) present(packed, x) reduction(+:sum)
        for (int i = 0; i < n; i++) {
            packed[i] = x[i] + 1;
            sum += x[i];
        }
    }
    return sum;
}

static void set(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i % 16 * 8, y[i] = i % 7, packed[i] = i * 4 % 4096;
}

static void window(void (*run)(int, float *, const float *), int n)
{
    set();
    run(n, y, x);
    for (int i = 0; i < N; i++)
        check_near("window", i, y[i], i > 0 && i < n - 1 ? x[i - 1] + x[i] + x[i + 1] : i % 7, 0);
}

static void rounds(void (*run)(int, float *, const float *))
{
    float all = 0;
    set();
    run(N, y, x);
    for (int i = 0; i < N; i++)
        all += x[i];
    for (int i = 0; i < N; i++)
        check_near("rounds", i, y[i], all - x[i], 0);
}

static void unpacked(void (*run)(int, float *))
{
    set();
    run(N, y);
    for (int i = 0; i < N; i++)
        check_near("packed", i, y[i], i % 7 + packed[i], 0.005);
}

static void pairs(void (*run)(int, float *))
{
    set();
    run(N, y);
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = 0; j < N; j++)
            sum += packed[j] - packed[i];
        check_near("pairs", i, y[i], sum, 8);
    }
}

static void stencil(void (*run)(int, float *restrict))
{
    set();
    run(SIDE, y);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            const float *p = packed + i * SIDE + j;
            int inside = i > 0 && j > 0 && i < SIDE - 1 && j < SIDE - 1;
            float sum = inside ? p[0] + p[-1] + p[1] + p[-SIDE] + p[SIDE] : (i * SIDE + j) % 7;
            check_near("stencil", i * SIDE + j, y[i * SIDE + j], sum, 0.03);
        }
}

static void grouped(void)
{
    for (int i = 0; i < N; i++)
        check_near("groups", i, packed[i], x[i] + 1, 0.01);
}

static void groups(void (*run)(int))
{
    set();
    run(N);
    grouped();
}

static void sums(void)
{
    double all = 0;
    set();
    for (int i = 0; i < N; i++)
        all += x[i];
    check_near("sum", 0, groups_sum(N), all, 0);
    grouped();
}

int main(void)
{
    window(as_said, N), window(split, N), window(narrow, N), window(full, 130), window(full, N), window(narrow_distinct, 3);
    rounds(coarse), rounds(coarse_open);
    unpacked(staged), unpacked(decoded), unpacked(decoded_wide), unpacked(direct);
    pairs(pairs_decoded), stencil(stencil_decoded), stencil(stencil_coarse);
    groups(shared_groups), groups(own_groups), groups(copies), sums();
    return finish();
}
