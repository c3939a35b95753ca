// flags: -std=c++17
// Templates with constructs whose arguments are functions, arrays and other variables.
// expect: launches=8
#include "check.h"

struct Config {
    int shift;
};

template <double (*F)(double)> void apply(double *a, int n)
{
#pragma acc parallel loop copy(a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] = F(a[i]);
}

template <const Config &C> void shift(double *a, int n)
{
#pragma acc parallel loop copy(a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] += C.shift;
}

template <auto &Most> void cut(double *a, int n)
{
#pragma acc parallel loop copy(a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] = a[i] > Most ? Most : a[i];
}

template <int *T> void add_pointer(double *a, int n)
{
#pragma acc parallel loop copy(a[0 : n]) copyin(T[0 : 4])
    for (int i = 0; i < n; i++)
        a[i] += T[i % 4];
}

template <int (&T)[4]> void add_array(double *a, int n)
{
#pragma acc parallel loop copy(a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] += T[i % (sizeof(T) / sizeof(T[0]))];
}

template <int *T> void add_scalar(double *a, int n)
{
    int step = *T;
#pragma acc parallel loop copy(a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] += step;
}

template <class T, T *P> struct Applied {
    static void run(double *a, int n)
    {
#pragma acc parallel loop copy(a[0 : n])
        for (int i = 0; i < n; i++)
            a[i] = P(a[i]);
    }
};

static double square(double x) { return x * x; }
static double twice(double x) { return 2 * x; }

constexpr Config few{3};
static int table[4] = {1, 2, 3, 4};
static int total = 5;
const int limit = 7;

int main()
{
    const int n = 10;
    double a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    apply<square>(a, n);
    apply<twice>(a, n);
    shift<few>(a, n);
    add_pointer<table>(a, n);
    add_array<table>(a, n);
    add_scalar<&total>(a, n);
    Applied<double(double), square>::run(a, n);
    for (int i = 0; i < n; i++) {
        double want = 2 * i * i + 3 + 2 * table[i % 4] + 5;
        check_near("all", i, a[i], want * want, 0);
    }
    cut<limit>(a, n);
    check_near("cut", 9, a[9], 7, 0);
    return finish();
}
