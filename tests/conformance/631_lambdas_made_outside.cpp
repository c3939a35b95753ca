// Lambdas made before the region that calls them: their captured pointers are those of the data clauses; reductions, subscripts
// that analysis sees through the call, a lambda that another captured, a variable that changes behind the region.
// flags: -std=c++17
// expect: launches=4 uploads=2 downloads=2
#include "check.h"

template <class T> static void scale(int n, T *x, T by)
{
    auto f = [=](int i) { return x[i] * by; };
#pragma acc parallel loop present(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = f(i);
}

int main()
{
    const int n = 300;
    double x[n], y[n], *a = x, *b = y, s = 0.5, sum = 0;
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = -i;
    }
    {
        auto f = [=](int i) { return a[i] * s; };
        auto add = [&](int i, double v) { b[i] += v; };
        auto both = [=](int i) { return f(i) + f(n - 1 - i); };
        auto more = [t = s * 2](auto v) { return v + t; };
#pragma acc data copy(a[0:n], b[0:n])
        {
#pragma acc parallel loop
            for (int i = 0; i < n; i++)
                add(i, more(both(i)));
            scale(n, a, 2.0);
#pragma acc kernels
            for (int i = 0; i < n; i++)
                add(i, f(i));
#pragma acc parallel loop reduction(+ : sum)
            for (int i = 0; i < n; i++)
                sum += f(i);
        }
    }
    s = 7;
    a = b;
    double total = 0;
    for (int i = 0; i < n; i++) {
        check_near("x", i, x[i], 2.0 * i, 0.0);
        check_near("y", i, y[i], -i + 0.5 * (n - 1) + 1 + i, 0.0);
        total += i;
    }
    check_near("sum", 0, sum, total, 1e-12);
    return finish();
}
