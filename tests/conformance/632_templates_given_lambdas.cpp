// Regions in templates that are given lambdas, as libraries of loops have them: lambdas by value, by reference and forwarded,
// with policies and results, handed on from template to template, called in templates and in methods, captured names that
// the template has, too.
// flags: -std=c++17
// expect: launches=14
#include "check.h"
#include <utility>

struct device {};
namespace loops {
struct Range {
    int begin, end;
};
template <class F> void forall(int n, F f)
{
#pragma acc parallel loop default(present)
    for (int i = 0; i < n; i++)
        f(i);
}
template <class Policy, class Body> inline void forall(const Range &range, Body &&body)
{
    const int n = range.end - range.begin;
    const int first = range.begin;
#pragma acc parallel loop gang vector vector_length(64) default(present)
    for (int i = 0; i < n; i++) {
        body(i + first);
    }
}
template <class T, class F> T reduce(int n, T init, const F &f)
{
    T s = init;
#pragma acc parallel loop reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += f(i);
    return s;
}
template <class F> void forall2(int n, int m, F f)
{
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            f(i, j);
}
template <class F> void outer(int n, F f)
{
    forall(n, f);
}
} // namespace loops

template <class T> static void axpy(int n, T k, const T *x, T *y)
{
    loops::forall(n, [=](int i) { y[i] += k * x[i]; });
}

struct Grid {
    int nx;
    double *u, *v;
    void step(double k)
    {
        double *u = this->u, *v = this->v;
        loops::forall<device>(loops::Range{1, nx - 1}, [=](int i) { v[i] = u[i] + k * (u[i - 1] - 2 * u[i] + u[i + 1]); });
    }
};

int main()
{
    const int n = 200;
    static double x[n], y[n], ex[n], ey[n], w[n][8];
    double *a = x, *b = y, *ea = ex, *eb = ey, s = 2.5, r = 0, q = 0;
    for (int i = 0; i < n; i++) {
        x[i] = ex[i] = i % 17;
        y[i] = ey[i] = -i;
    }
#pragma acc data copy(x, y)
    {
        for (int t = 0; t < 3; t++) {
            loops::forall(n, [=](int i) { b[i] = s * a[i] + i + n; });
            auto f = [&](int i) { a[i] += 0.5 * b[i]; };
            loops::forall(n, f);
            std::swap(a, b);
        }
        if (n > 3)
            r = loops::reduce(n, 1.0, [=](int i) { return a[i] * 0.5; });
        double more = loops::reduce(n, 0.5f, [=](int i) { return (float)(i % 3); }) + 1;
        q = more;
        loops::outer(n, [=](int i) { a[i] -= s; });
        axpy(n, 2.0, a, b);
        Grid grid{n, x, y};
        grid.step(0.25);
        Grid{n, y, x}.step(0.125);
    }
    loops::forall2(n, 8, [&](int i, int j) { w[i][j] = i * j + y[i]; });
    float small[3] = {1, 2, 3};
    float *p = small;
#pragma acc data copy(p[0:3])
    axpy(3, 2.0f, p, p);

    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++)
            eb[i] = s * ea[i] + i + n;
        for (int i = 0; i < n; i++)
            ea[i] += 0.5 * eb[i];
        std::swap(ea, eb);
    }
    double er = 1, eq = 1.5;
    for (int i = 0; i < n; i++) {
        er += ea[i] * 0.5;
        eq += i % 3;
    }
    for (int i = 0; i < n; i++) {
        ea[i] -= s;
        eb[i] += 2 * ea[i];
    }
    for (int i = 1; i < n - 1; i++)
        ey[i] = ex[i] + 0.25 * (ex[i - 1] - 2 * ex[i] + ex[i + 1]);
    for (int i = 1; i < n - 1; i++)
        ex[i] = ey[i] + 0.125 * (ey[i - 1] - 2 * ey[i] + ey[i + 1]);
    for (int i = 0; i < n; i++) {
        check_near("x", i, x[i], ex[i], 1e-13);
        check_near("y", i, y[i], ey[i], 1e-13);
        check_near("w", i, w[i][3], i * 3 + ey[i], 1e-13);
    }
    for (int i = 0; i < 3; i++)
        check_near("small", i, small[i], 3 * (i + 1), 0.0);
    check_near("r", 0, r, er, 1e-12);
    check_near("q", 0, q, eq, 1e-6);
    return finish();
}
