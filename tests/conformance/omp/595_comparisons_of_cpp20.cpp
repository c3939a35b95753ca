// What C++20 compares member by member, in code for devices: classes with a defaulted `<=>`, pairs, tuples and arrays; the constants of
// <numbers> and the functions of <bit>.
// flags: -std=c++20
// expect: launches=3
#include "../check.h"
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <numbers>
#include <tuple>
#include <utility>

#define N 40

struct Version {
    int first, second;
    auto operator<=>(const Version &) const = default;
};

struct Name {
    int id;
    friend bool operator==(const Name &, const Name &) = default;
};

static int compared(int i)
{
    Version a{i, 2}, b{5, i};
    Name n{i % 3}, m{1};
    std::pair<int, double> p(i, 1), q(7, i);
    std::array<int, 3> u{i, 1, 2}, w{3, 1, 2};
    int x = i % 3, y = i % 5, one = 1, two = 2;
    return (a < b) + 2 * (a >= b) + 4 * (a == b) + 8 * (n != m) + 16 * (p <= q) + 32 * (p > q) + 64 * (u < w) + 128 * (u != w)
        + 256 * (std::make_tuple(i, 1) < std::make_tuple(7, 1)) + 512 * (std::tie(x, y) < std::tie(one, two));
}

template <class T> static T turned(T x)
{
    return x * std::numbers::pi_v<T> / 180 + T(std::numbers::sqrt2);
}

static std::uint64_t bits(std::uint32_t x, int n)
{
    return std::popcount(x) + 100 * std::countl_zero(x >> n) + 10000 * std::countr_zero(x << n) + std::rotl(x, n)
        + std::rotr(std::uint64_t(x), n) + std::has_single_bit(x) + std::bit_width(x) + std::bit_cast<std::uint32_t>(1.5f * n);
}

int main()
{
    int order[N];
    double angle[N];
    float single[N];
    std::uint64_t all[N];
#pragma omp target teams distribute parallel for map(from : order)
    for (int i = 0; i < N; i++)
        order[i] = compared(i);
#pragma omp target teams distribute parallel for map(from : angle, single)
    for (int i = 0; i < N; i++) {
        angle[i] = turned(i * 1.0);
        single[i] = turned(i * 1.0f);
    }
#pragma omp target teams distribute parallel for map(from : all)
    for (int i = 0; i < N; i++)
        all[i] = bits(2654435761u * (i + 1), i % 32);
    for (int i = 0; i < N; i++) {
        check_int("order", i, order[i], compared(i));
        check_near("angle", i, angle[i], turned(i * 1.0), 1e-15);
        check_near("single", i, single[i], turned(i * 1.0f), 1e-6);
        check_true("bits", all[i] == bits(2654435761u * (i + 1), i % 32));
    }
    return finish();
}
