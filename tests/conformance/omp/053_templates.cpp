// C++: templates of functions and classes with constructs, data directives and declared functions.
// expect: launches=8
// needs: separate
#include "../check.h"

struct Plus {
    double by;
    double operator()(double x) const { return x + by; }
};

template <typename T> class Array {
    T *data;
    int n;

  public:
    explicit Array(int n) : data(new T[n]), n(n)
    {
#pragma omp target enter data map(alloc: data[0:n])
    }
    ~Array()
    {
#pragma omp target exit data map(delete: data[0:n])
        delete[] data;
    }
    void fill(T value)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            data[i] = value + T(i);
    }
    T *address() { return data; }
    const T *host()
    {
#pragma omp target update from(data[0:n])
        return data;
    }
};

template <typename T, typename F> static void apply(T *data, int n, F f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        data[i] = f(data[i]);
}

template <typename T, int N> static T sum(const T (&a)[N])
{
    T total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total) map(to: a)
    for (int i = 0; i < N; i++)
        total += a[i];
    return total;
}

#pragma omp declare target
template <typename T> static T square(T x)
{
    return x * x;
}
#pragma omp end declare target

int main()
{
    Array<double> d(40);
    Array<long> l(50);
    d.fill(0.5);
    l.fill(7);
    apply(d.address(), 40, Plus{ 3 });
    apply(l.address(), 50, [](long x) { return square(x); });
    for (int i = 0; i < 40; i++)
        check_near("d", i, d.host()[i], i + 3.5, 0);
    for (int i = 0; i < 50; i++)
        check_int("l", i, l.host()[i], (i + 7L) * (i + 7));
    int a[20];
    float f[33];
    for (int i = 0; i < 33; i++)
        f[i] = a[i % 20] = i % 20;
    check_int("sum", 0, sum(a), 190);
    check_near("sum", 1, sum(f), 190 + 78, 0);
    int x = 5;
    double y = 1.5;
#pragma omp target map(tofrom: x)
    x = square(x);
#pragma omp target map(tofrom: y)
    y = square(y);
    check_int("x", 0, x, 25);
    check_near("y", 0, y, 2.25, 0);
    return finish();
}
