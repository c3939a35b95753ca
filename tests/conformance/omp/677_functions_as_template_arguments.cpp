// Functions that are arguments of templates are called by their names.
// expect: launches=2
// flags: -std=c++17
#include "../check.h"

template <auto F> double twice(double x)
{
    return F(F(x));
}

template <double (*F)(double), double (*G)(double, int)> struct Both {
    double operator()(double x) const { return G(F(x), 3); }
};

static double next(double x)
{
    return x + 1.5;
}
static double times(double x, int n)
{
    return x * n;
}

int main()
{
    double out[64];
#pragma omp target teams distribute parallel for map(from : out)
    for (int i = 0; i < 64; i++)
        out[i] = twice<next>(i);
    for (int i = 0; i < 64; i++)
        check_near("twice", i, out[i], i + 3, 1e-12);
#pragma omp target teams distribute parallel for map(tofrom : out)
    for (int i = 0; i < 64; i++)
        out[i] += Both<&next, times>()(i) + twice<&next>(2);
    for (int i = 0; i < 64; i++)
        check_near("both", i, out[i], i + 3 + (i + 1.5) * 3 + 5, 1e-12);
    return finish();
}
