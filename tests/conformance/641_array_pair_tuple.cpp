// std::array, std::pair and std::tuple in compute regions, and small functions of the standard library.
// flags: -std=c++17
#include "check.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <tuple>
#include <utility>

constexpr int dims = 3;
using Point = std::array<double, dims>;

static double dot(const std::array<double, dims> &a, const Point &b)
{
    double sum = 0;
    for (int k = 0; k < dims; k++)
        sum += a[k] * b[k];
    return sum;
}

template <class T, std::size_t n> static T total(const std::array<T, n> &a)
{
    T sum = 0;
    for (const T &x : a)
        sum += x;
    return sum;
}

static std::pair<int, double> best(const Point &p)
{
    int at = 0;
    for (int k = 1; k < dims; k++)
        if (p[k] > p[at])
            at = k;
    return {at, p[at]};
}

struct Cell {
    Point where{1, 2, 3};
    std::pair<int, float> what;
    std::array<std::array<int, 2>, 2> table;
};

static void all(int i, const Point &c, double *out)
{
    Point t = c, zeros{};
    t[i % dims] += i;
    double a = t[0], b = t[2];
    std::swap(a, b);
    std::pair<int, double> p(i, 2.5), kept;
    auto q = std::make_pair(i + 1, b);
    kept = q;
    std::pair<long, float> converted(q);
    converted = p;
    auto [index, value] = best(t);
    auto &[first, second] = p;
    second += first;
    std::tuple<char, int, double> three('a', i, a);
    auto made = std::make_tuple(std::get<2>(three), 1.5f);
    std::get<1>(three)++;
    std::get<double>(three) *= 2;
    Cell cell;
    cell.what = {i, 0.5f};
    cell.table = {{{1, 2}, {3, i}}};
    for (auto &x : zeros)
        x += 1;
    zeros.front() = 7;
    std::array<int, 40> many;
    many.fill(i);
    many.at(3) = std::exchange(many[4], -1);
    std::array<std::complex<double>, 2> complex;
    complex[1] = {1, 2};
    out[0] = std::max(a, 0.5) + std::min({a, b, 3.0}) + std::max({1, 5, i}) + std::clamp(b, 0.0, 10.0) + std::pow(a, 2);
    out[1] = p.second + q.first + kept.second + converted.first + converted.second + index * value;
    out[2] = t.size() + c.back() + total(zeros) + total(many) + *(t.end() - 1) + t.data()[1] + zeros.empty();
    out[3] = std::get<int>(three) + std::get<2>(three) + std::get<0>(made) + std::get<1>(made) + std::get<0>(three);
    out[4] = dot(cell.where, t) + cell.what.first * cell.what.second + cell.table[1][1] + total(cell.table[0]);
    out[5] = (p < std::make_pair(i, 1e9)) + 2 * (q == kept) + 4 * (p > p) + 8 * (three <= std::make_tuple('a', i, 0.0));
    out[6] = std::numeric_limits<int>::max() / 2 + std::numeric_limits<double>::epsilon() + std::numeric_limits<short>::min()
        + (a < std::numeric_limits<float>::lowest()) + (b < std::numeric_limits<double>::infinity());
    out[7] = std::move(a) + std::abs(t[1] - i) + complex[1].imag() + std::abs(complex[0]);
}

int main()
{
    const int n = 64;
    Point c{1, 2, 3}, points[n];
    static double out[n][8], expected[8];
    std::pair<int, double> pairs[n];
    std::tuple<char, double, int> tuples[n];
    for (int i = 0; i < n; i++) {
        points[i] = {1.0 * i, 2.0, 3.0};
        tuples[i] = std::make_tuple('a', 0.5, i);
    }
#pragma acc parallel loop copyout(out, pairs) copy(points, tuples)
    for (int i = 0; i < n; i++) {
        all(i, c, out[i]);
        points[i][1] += dot(points[i], c);
        pairs[i] = best(points[i]);
        std::get<1>(tuples[i]) += std::get<2>(tuples[i]);
        std::get<0>(tuples[i])++;
    }
    for (int i = 0; i < n; i++) {
        all(i, c, expected);
        for (int k = 0; k < 8; k++)
            check_near("out", 8 * i + k, out[i][k], expected[k], 1e-14);
        check_near("point", i, points[i][1], 2 + i + 4 + 9, 0);
        check_true("pair", pairs[i] == best(points[i]));
        check_true("tuple", tuples[i] == std::make_tuple('b', 0.5 + i, i));
    }

    // The array's elements as data.
    std::array<double, 1000> large;
    large.fill(2);
    double *p = large.data(), sum = 0;
#pragma acc parallel loop copy(p[0:1000])
    for (int i = 0; i < 1000; i++)
        p[i] += i;
#pragma acc parallel loop copyin(large) reduction(+:sum)
    for (int i = 0; i < 1000; i++)
        sum += large[i];
#pragma acc parallel loop
    for (std::size_t i = 0; i < large.size(); i++)
        large[i] = -1;
    check_near("sum", 0, sum, 2000 + 999 * 500, 0);
    check_true("whole array", large[0] == -1 && large.back() == -1);
    return finish();
}
