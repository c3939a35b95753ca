// Algorithms of the standard library over pointers, in device code: with and without lambdas.
// expect: launches=6
#include "check.h"
#include <algorithm>
#include <numeric>
#include <utility>

constexpr int N = 100;

static double ranges(int i)
{
    double t[5], q[4] = {1, 2, 3, 4};
    std::fill(t, t + 5, 1.5 * i);
    double *end = std::fill_n(t, 2, 3);
    std::copy(q + 1, q + 4, q);
    std::copy_n(t, 1, q + 3);
    int n[6];
    std::iota(n, n + 6, i);
    return t[0] + 2 * t[4] + (end - t) + q[0] + 10 * q[2] + q[3] + n[5];
}

static double sums(int i)
{
    double t[4] = {1, 2.5, 3, double(i)};
    unsigned char c[3] = {200, 100, 250};
    return std::accumulate(t, t + 4, 0.0) + 100 * std::accumulate(t, t + 4, 0) + std::inner_product(t, t + 4, t, 0.0) +
           std::accumulate(c, c + 3, 0) + 1000.0 * std::accumulate(c, c + 3, (unsigned char)0);
}

static int searches(int i)
{
    const int t[6] = {i % 3, i % 5, 7, i % 2, 3, i % 5};
    const int *least = std::min_element(t, t + 6), *most = std::max_element(t, t + 6);
    return int(least - t) + 10 * int(most - t) + 100 * int(std::find(t, t + 6, i % 11) - t) + 1000 * int(std::count(t, t + 6, 3)) + *most;
}

static double lambdas(int i)
{
    int t[4] = {1, 2, 3, 4}, k = 0;
    double d[4];
    std::transform(t, t + 4, d, [=](int x) { return x * i + 0.5; });
    std::transform(t, t + 4, d, t, [](int x, double y) { return x + int(y); });
    std::for_each(t, t + 4, [&](int &x) { x += k++; });
    double product = std::accumulate(d, d + 4, 1.0, [](double a, double b) { return a * b; });
    product += std::inner_product(t, t + 4, d, 0.0, [](double a, double b) { return a + b; }, [](int x, double y) { return x - y; });
    std::generate(d, d + 2, [&] { return k++ * 0.25; });
    return t[0] + t[3] + product + d[1] + d[3];
}

static int conditions(int i)
{
    int t[5];
    std::iota(t, t + 5, i % 9);
    int found = int(std::find_if(t, t + 5, [=](int x) { return x * 7 % 5 == i % 5; }) - t);
    bool all = std::all_of(t, t + 5, [](int x) { return x > 3; });
    bool any = std::any_of(t, t + 5, [](int x) { return x % 6 == 5; });
    bool none = std::none_of(t, t + 5, [=](int x) { return x == i; });
    return found + 10 * all + 100 * any + 1000 * none + 10000 * int(std::count_if(t, t + 5, [](int x) { return x & 1; }));
}

static int swaps(int i)
{
    int a[2] = {i, 2}, b[2] = {3, 4};
    std::swap(a, b);
    std::swap(a[0], b[1]);
    return a[0] + 10 * a[1] + 100 * b[0] + 1000 * b[1];
}

#define COMPARE(function)                                                  \
    do {                                                                   \
        double out[N];                                                     \
        _Pragma("acc parallel loop copyout(out)")                          \
        for (int i = 0; i < N; i++)                                        \
            out[i] = function(i);                                          \
        for (int i = 0; i < N; i++)                                        \
            check_near(#function, i, out[i], function(i), 1e-9);           \
    } while (0)

int main()
{
    COMPARE(ranges);
    COMPARE(sums);
    COMPARE(searches);
    COMPARE(lambdas);
    COMPARE(conditions);
    COMPARE(swaps);
    return finish();
}
