// Constructors that classes inherit, of templates and through two classes, by value and by reference, in code for devices.
// expect: launches=1
// flags: -std=c++17
#include "../check.h"

#define N 50

struct Base {
    int n;
    double x;
    Base(int n, double x) : n(n), x(x) {}
    explicit Base(int n) noexcept : Base(n, 1.25) {}
    Base(const double &scale, int *counter) : n(*counter), x(scale) { ++*counter; }
    double get(int i) const { return x * i + n; }
};

struct Named : Base {
    using Base::Base;
    int factor = 7;
    double both(int i) const { return get(i) * factor; }
};

template <class T> struct Twice : Named {
    using Named::Named;
    T more{2};
    double all(int i) const { return both(i) * more; }
};

static double value(int i, const Named &given)
{
    int counter = i;
    Named a(i, 2.0), b(i + 1);
    Twice<float> c(0.5, &counter);
    Twice<int> d{i};
    return given.both(i) + a.both(2) + b.both(3) + c.all(i) + d.all(1) + counter;
}

int main()
{
    double out[N];
    Named given(3, 0.5);
#pragma omp target teams distribute parallel for map(from : out)
    for (int i = 0; i < N; i++)
        out[i] = value(i, given);
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], value(i, given), 1e-9);
    check_near("by hand", 2, out[2], 28 + 42 + 47.25 + 42 + 45.5 + 3, 1e-9);
    return finish();
}
