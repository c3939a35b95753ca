// Lambdas made in regions: captures by copy and by reference, what changes after a copy was taken, init-captures, generic and
// mutable ones, nested ones, called at once, handed to functions, results by reference, returns within conditions.
// flags: -std=c++17
// expect: launches=2
#include "check.h"

template <class F> static double apply(F f, int i)
{
    if (i % 2)
        return f(i) + 1;
    return f(i);
}
template <class F> static void each(const F &f, int n, double *row)
{
    for (int k = 0; k < n; k++)
        row[k] = f(k);
}

static double table[4] = {1, 2, 3, 4};

static double serial(int i, double a, double s)
{
    int z = i;
    double early = a > 10 ? a : (a + 1) * 2;
    int before = z;
    z += 3;
    z += 1;
    int nested = 2 * 2 + (2 + before);
    double row3 = 3 * s;
    double applied = a * s + i % 2 + 1.0 * i * z + i % 2;
    double acc[3] = {1.0 * (i % 4), 2, 3};
    acc[i % 3] += i;
    acc[1] = acc[0] + table[i % 4];
    double counted = 1 + 2;
    return (1 + before) + z + nested + early + 2 + i * 2 + applied + row3 + counted + (acc[0] + acc[1] + acc[2]) + acc[1];
}

int main()
{
    const int n = 120;
    double x[n], y[n], s = 2.5;
    float halves[n];
    for (int i = 0; i < n; i++)
        x[i] = i % 23;
#pragma acc parallel loop copyin(x) copyout(y)
    for (int i = 0; i < n; i++) {
        int z = i;
        auto in = [&](int k) { z += k; return z; };
        auto kept = [z](int k) { return k + z; };
        in(3);
        auto nested = [&, kept](int k) {
            auto deep = [=](int m) { return m * k + kept(k); };
            return deep(2);
        };
        auto early = [=](double v) {
            if (v > 10)
                return v;
            if (v < 0) {
                return -v;
            } else
                v += 1;
            return v * 2;
        };
        double value = kept(1) + in(1) + nested(2) + early(x[i]) + early(-2);
        value += [](int w) { return w * 2; }(i);
        value += apply([&](int k) { return x[k] * s; }, i) + apply([=](int k) { return 1.0 * k * z; }, i);
        double row[4];
        each([&](int k) { return k * s; }, 4, row);
        auto count = [c = 0]() mutable { return c++; };
        count();
        value += row[3];
        value += count();
        value += count();
        double acc[3] = {1.0 * (i % 4), 2, 3};
        auto at = [&acc](int k) -> double & { return acc[k % 3]; };
        at(i) += i;
        at(1) = at(0) + table[i % 4];
        auto total = [&] {
            double t = 0;
            for (double v : acc)
                t += v;
            return t;
        };
        y[i] = value + total() + [=] { return acc[1]; }();
    }
#pragma acc parallel loop copyout(halves)
    for (int i = 0; i < n; i++) {
        auto half = [](auto v) { return v / 2; };
        halves[i] = half(i) + half(i * 0.5f) + half(1.0);
    }
    for (int i = 0; i < n; i++) {
        check_near("y", i, y[i], serial(i, x[i], s), 1e-14);
        check_near("halves", i, halves[i], i / 2 + i * 0.25f + 0.5, 1e-6);
    }
    return finish();
}
