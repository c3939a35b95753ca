// C++ that compute regions refuse.
#include <vector>
struct Base { virtual double f() { return 1; } };
template <class T> struct Same { T value; };
template <template <class> class C> void run(int n, double *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = sizeof(C<int>);
}
void f(int n, double *x, std::vector<double> &v)
{
    Base b;
    auto twice = [](double d) { return 2 * d; };
#pragma acc parallel loop copy(x[0:n], v)
    for (int i = 0; i < n; i++) {
        x[i] = v[i];
        x[i] = twice(x[i]);
        x[i] = b.f();
        double *p = new double[3];
        auto third = [](double d) { return 3 * d; };
        try { x[i] = 1; } catch (...) {}
        throw 3;
    }
    run<Same>(n, x);
}
