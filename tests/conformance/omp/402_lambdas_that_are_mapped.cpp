// flags: -std=c++17
// gcc: rejects, with an internal error
// expect: launches=5
// Lambdas that become objects of templates' classes: where these are mapped, by a clause or by the rule, the pointers that they captured
// lead to the device's copies, and addresses of the device stay what they are.
#include "../check.h"

template <class F> struct Loop {
    F function;
    void run(int n)
    {
        F own(function);
#pragma omp target teams distribute parallel for map(to : own)
        for (int i = 0; i < n; i++) own(i);
    }
    void run_by_rule(int n) const
    {
        F own(function);
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) own(i);
    }
};

template <class F> void each(int n, const F &function, bool by_rule = false)
{
    Loop<F> loop{function};
    if (by_rule)
        loop.run_by_rule(n);
    else
        loop.run(n);
}

int main()
{
    const int n = 300;
    double *x = new double[n](), *y = new double[n](), *z = new double[n]();
    float *unused = nullptr;
    double *device;
#pragma omp target data map(tofrom : x[0 : n], y[0 : n], z[0 : n])
    {
        each(n, [=](int i) { x[i] += i; });
        each(n, [=](int i) { x[i] += 2 * i; }, true);
        each(n, [=](int i) { y[i] = unused ? -1 : x[i]; });
        double *middle = y + n / 2;
        each(n / 2, [=](int i) { middle[i] += 1000; });
#pragma omp target data use_device_ptr(z)
        device = z;
        each(n, [=](int i) { device[i] = y[i] + 1; });
    }
    for (int i = 0; i < n; i++) {
        const double expected = 3.0 * i + (i >= n / 2 ? 1000 : 0);
        check_near("x", i, x[i], 3.0 * i, 0);
        check_near("y", i, y[i], expected, 0);
        check_near("z", i, z[i], expected + 1, 0);
    }
    delete[] x;
    delete[] y;
    delete[] z;
    return finish();
}
