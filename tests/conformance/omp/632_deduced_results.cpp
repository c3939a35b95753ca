// Templates with constructs whose results `auto` stands for.
// expect: launches=5
#include "../check.h"
#include <cmath>
#include <vector>

#define N 50

template <class T> inline auto squares(const T *a, int n)
{
    T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0:n])
    for (int i = 0; i < n; i++)
        s += a[i] * a[i];
    return s;
}

template <class T> auto norm(const T *a, int n) { return std::sqrt(squares(a, n)); }

namespace {
template <class It> auto total(It begin, It end)
{
    double s = 0;
    int n = end - begin;
    auto *p = &*begin;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
} // namespace

template <class T> struct Values {
    T d[N];
    auto sum() const
    {
        T s = 0;
        const T *p = d;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:N])
        for (int i = 0; i < N; i++)
            s += p[i];
        return s;
    }
    auto begin_with(T x) -> Values &
    {
#pragma omp target map(tofrom : d[0:N])
        d[0] = x;
        return *this;
    }
};

int main()
{
    double a[N];
    float f[2] = {3, 4};
    std::vector<double> v(N, 1.5);
    Values<int> values;
    double squared = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        values.d[i] = i;
        squared += i * i;
    }
    check_near("norm", 0, norm(a, N), std::sqrt(squared), 1e-6);
    check_near("norm", 1, norm(f, 2), 5, 1e-6);
    check_near("total", 0, total(v.begin(), v.end()), 1.5 * N, 1e-6);
    check_int("first", 0, values.begin_with(7).d[0], 7);
    check_int("sum", 0, values.sum(), 7 + N * (N - 1) / 2);
    return finish();
}
