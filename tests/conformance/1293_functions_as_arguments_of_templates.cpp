// Functions that templates deduce as arguments, by value, by reference and in packs, and such as are declared behind the template.
// expect: launches=8
#include "check.h"

#define N 100

template <class F>
void apply(int n, double *a, F f)
{
#pragma acc parallel loop copy(a [0:n])
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}

template <class F>
void apply_to_reference(int n, double *a, F &&f)
{
#pragma acc parallel loop copy(a [0:n])
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}

template <class T, class F, class... Rest>
void apply_with(int n, T *a, F f, Rest... rest)
{
#pragma acc parallel loop copy(a [0:n])
    for (int i = 0; i < n; i++)
        a[i] = f(a[i], rest...);
}

template <class T>
class Vector
{
    T *data;
    int n;

public:
    Vector(T *data, int n) : data(data), n(n) {}

    template <class F>
    Vector &each(F f)
    {
        T *a = data;
#pragma acc parallel loop copy(a [0:n])
        for (int i = 0; i < n; i++)
            a[i] = f(a[i]);
        return *this;
    }
};

namespace shapes
{
double square(double x) { return x * x; }
struct Solid {
    static double cube(double x) { return x * x * x; }
};
}

static double linear(double x, double a, double b) { return a * x + b; }
static int add(int x, const int &y) { return x + y; }

int main()
{
    double a[N];
    int numbers[N];
    for (int i = 0; i < N; i++)
        a[i] = numbers[i] = i;
    apply(N, a, shapes::square);
    apply(N, a, shapes::Solid::cube);
    for (int i = 0; i < N; i++) {
        check_near("by value", i, a[i], shapes::square(shapes::Solid::cube(i)), 0);
        a[i] = i;
    }
    apply_to_reference(N, a, shapes::square);
    apply_to_reference(N, a, &shapes::square);
    apply_with(N, a, linear, 2.0, 3.0);
    apply_with(N, numbers, add, 4);
    Vector<double>(a, N).each(shapes::square).each([](double x) { return -x; });
    for (int i = 0; i < N; i++) {
        double x = 2.0 * i * i * i * i + 3;
        check_near("by reference, packs, methods", i, a[i], -x * x, 0);
        check_int("of references", i, numbers[i], i + 4);
    }
    return finish();
}
