// Templates with constructs whose arguments are classes and enumerations defined after them, in and outside of namespaces; member
// templates; classes in class templates. Function objects with addresses of device memory, given by value and by reference.
// expect: launches=16
#include "check.h"
#include <openacc.h>
#include <utility>

namespace par
{
namespace detail
{
template <typename Body> void forall(int begin, int end, Body body)
{
#pragma acc parallel loop
    for (int i = begin; i < end; ++i)
        body(i);
}
template <class T, T N> void add(T *x, int n)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] += N;
}
template <class T> class Values
{
    T *values;

public:
    Values(T *values) : values(values) {}
    void set(int n, T value)
    {
        T *to = values;
#pragma acc parallel loop copyout(to[0:n])
        for (int i = 0; i < n; ++i)
            to[i] = value;
    }
    template <class U> void add(int n, U value)
    {
        T *to = values;
#pragma acc parallel loop copy(to[0:n])
        for (int i = 0; i < n; ++i)
            to[i].b += value;
    }
    struct First {
        T *values;
        int get()
        {
            T *from = values;
            int a = 0;
#pragma acc parallel loop copyin(from[0:1]) reduction(+ : a)
            for (int i = 0; i < 1; i++)
                a += from[i].a;
            return a;
        }
    };
};
} // namespace detail
using detail::forall;
} // namespace par

template <typename Body> void by_reference(int begin, int end, Body &&body)
{
#pragma acc parallel loop
    for (int i = begin; i < end; ++i)
        body(i);
}

template <class Op> static void by_constant_reference(int n, const Op &op)
{
#pragma acc parallel loop
    for (int i = 0; i < n; ++i)
        op(i);
}

enum class Mode : int { Double = 1, Triple };

template <Mode M> double times(double x)
{
    return M == Mode::Double ? x * 2 : x * 3;
}

template <Mode M, bool Twice = false> void run(double *x, int n)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = Twice ? times<M>(times<M>(x[i])) : times<M>(x[i]);
}

template <class T> struct Fill {
    T value;
    T *x;
    void operator()(int i) const { x[i] = value; }
};

namespace user
{
struct Axpy {
    double a;
    const double *x;
    double *y;
    void operator()(int i) const { y[i] += a * x[i]; }
};
struct Pair {
    int a;
    double b;
};
} // namespace user

struct Sums {
    int n;
    template <class T> void raise(T *x, T by)
    {
#pragma acc parallel loop copy(x[0:n])
        for (int i = 0; i < n; i++)
            x[i] += by;
    }
    template <class T> static T sum(T *x, int n);
};

template <class T> T Sums::sum(T *x, int n)
{
    T sum = 0;
#pragma acc parallel loop copyin(x[0:n]) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

int main()
{
    const int n = 1000;
    static double x[n], y[n];
    double *dx = (double *)acc_malloc(sizeof x), *dy = (double *)acc_malloc(sizeof y);
    par::forall(0, n, Fill<double>{4, dx});
    par::detail::forall(1, n, Fill<double>{1, dy});
    par::detail::forall(0, 1, Fill<double>{7, dy});
    by_reference(0, n, user::Axpy{2, dx, dy});
    const user::Axpy axpy{0.5, dx, dy};
    by_constant_reference(n, axpy);
    acc_memcpy_from_device(x, dx, sizeof x);
    acc_memcpy_from_device(y, dy, sizeof y);
    for (int i = 0; i < n; i++) {
        check_near("filled", i, x[i], 4, 0);
        check_near("axpy", i, y[i], i == 0 ? 17 : 11, 0);
    }
    acc_free(dx);
    acc_free(dy);

    run<Mode::Double>(x, n);
    run<Mode::Triple>(x, n);
    run<Mode::Double, true>(x, n);
    check_near("modes", 0, x[n - 1], 4 * 2 * 3 * 4, 0);

    static int k[n];
    par::detail::add<int, 7>(k, n);
    check_int("constant", 0, k[n - 1], 7);
    user::Pair pairs[4];
    par::detail::Values<user::Pair> values(pairs);
    values.set(4, {3, 2.5});
    values.add(4, 1.5f);
    check_int("pairs", 0, pairs[3].a, 3);
    check_near("pairs", 0, pairs[2].b, 4, 0);
    par::detail::Values<user::Pair>::First first{pairs};
    check_int("first", 0, first.get(), 3);

    Sums sums{n};
    sums.raise(x, 4.0);
    sums.raise(k, 2);
    check_near("raised", 0, x[0], 100, 0);
    check_int("sum", 0, Sums::sum(k, n), 9 * n);
    float few[] = {1, 2, 3};
    check_near("sum", 1, Sums::sum(few, 3), 6, 0);
    return finish();
}
