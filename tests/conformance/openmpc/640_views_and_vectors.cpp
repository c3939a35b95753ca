// The host's loops over views of the standard library, over GNU's vectors, and with sets of bits and optional values of each iteration.
// env: ACCL_DEVICE_CHOICE=never
// expect: launches=4
// flags: -std=c++20
#include "../check.h"
#include <bitset>
#include <cstdlib>
#include <optional>
#include <span>

#define N 20000

typedef double double4 __attribute__((vector_size(32)));

static std::optional<int> half(int i)
{
    if (i % 2)
        return std::nullopt;
    return i / 2;
}

static double total(std::span<const double> values)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < values.size(); i++)
        sum += values[i];
    return sum;
}

static void scale(std::span<double> values, double by)
{
#pragma omp parallel for
    for (size_t i = 0; i < values.size(); i++)
        values[i] *= by;
}

int main()
{
    double *p = (double *)malloc(N * sizeof(double));
    double4 *q = (double4 *)aligned_alloc(32, N * sizeof(double4));
    long bits = 0;
    for (int i = 0; i < N; i++) {
        p[i] = i * 0.5;
        q[i] = double4{1, 2, 3, 1.0 * i};
    }
    scale({p, N}, 2);
    check_near("total", 0, total({p, N}), (N - 1.0) * N / 2, 1e-3);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        q[i] = q[i] * q[i][3] + 1.0;
#pragma omp parallel for reduction(+ : bits)
    for (int i = 0; i < N; i++) {
        std::bitset<64> own(i);
        bits += own.count() + half(i).value_or(0) % 3;
    }
    long expected = 0;
    for (int i = 0; i < N; i++) {
        expected += __builtin_popcount(i) + (i % 2 ? 0 : i / 2 % 3);
        check_near("q", i, q[i][1], 2.0 * i + 1, 1e-9);
    }
    check_int("bits", 0, bits, expected);
    free(p);
    free(q);
    return finish();
}
