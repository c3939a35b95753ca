// Function objects of the library for operators, by themselves and as arguments of templates, and loops over lists.
// expect: launches=2
#include "../check.h"
#include <functional>
#include <vector>

template <typename T, typename Op> T fold(const T *a, int n, T start, Op op)
{
    T result = start;
    for (int i = 0; i < n; i++)
        result = op(result, a[i]);
    return result;
}

struct Best {
    std::less<int> before;
    int of(int a, int b) const { return before(a, b) ? b : a; }
};

static double value(double x, int k, unsigned m)
{
    double s = std::plus<double>()(x, 1.0);
    s = std::multiplies<double>()(s, k);
    s = std::minus<>{}(s, 0.5);
    s += std::divides<double>{}(x, 4.0) + std::divides<int>()(k, 2) + std::plus<>()(k, 0.25);
    std::greater<int> greater;
    s += std::less<int>()(k, 3) ? 10 : 20;
    s += greater(k, 5) ? 100 : 200;
    s += std::equal_to<int>{}(k, 4) + 2 * std::not_equal_to<int>()(k, 1) + 4 * std::greater_equal<int>()(k, 2);
    s += 8 * std::less_equal<>()(k, 2) + 16 * std::logical_and<bool>()(k > 1, k < 4) + 32 * std::logical_or<int>()(k, m);
    s += std::modulus<int>()(k, 3) + std::negate<double>()(x) + std::logical_not<int>()(k);
    s += std::bit_xor<unsigned>()(m, 5) + std::bit_and<unsigned>()(m, 6) + std::bit_or<unsigned>()(m, 1);
    s += std::bit_not<int>()(k);
    s += std::less<unsigned>()(m, -1) ? 0.125 : 0.0;
    double w[4] = {x, 2, 3, 4};
    int v[3] = {k, 7 - k, 3};
    s += fold(w, 4, 0.0, std::plus<double>()) + fold(w, 4, 1.0, std::multiplies<>());
    s += Best().of(fold(v, 3, 0, std::bit_or<int>()), k);
    for (int step : {1, 2, 5, 7})
        s += step * k;
    for (auto weight : {0.5, x, 1.5}) {
        if (weight > 1.25)
            continue;
        s += weight;
    }
    for (const int &shift : {k, k + 1})
        for (int again : {shift, 3})
            s += again;
    return s;
}

int main()
{
    const int n = 700;
    std::vector<double> x(n), b(n), sums(n);
    std::vector<int> c(n);
    double *px = x.data(), *pb = b.data();
    int *pc = c.data();
    for (int i = 0; i < n; i++) {
        x[i] = 0.25 * (i % 13);
        c[i] = i % 8;
    }
#pragma omp target teams distribute parallel for map(from : pb[0 : n]) map(to : px[0 : n], pc[0 : n])
    for (int i = 0; i < n; i++)
        pb[i] = value(px[i], pc[i], pc[i] * 3u);
    for (int i = 0; i < n; i++)
        check_near("b", i, b[i], value(x[i], c[i], c[i] * 3u), 1e-12);

    double sum = 0, want = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : px[0 : n])
    for (int i = 0; i < n; i++)
        for (int k : {1, 2, 3})
            sum = std::plus<double>()(sum, px[i] * k);
    for (int i = 0; i < n; i++)
        want += 6 * x[i];
    check_near("sum", 0, sum, want, 1e-12);
    return finish();
}
