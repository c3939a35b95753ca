// A function without a routine directive whose definition is visible: compiled for the device when
// a kernel calls it.
// gcc: rejects, a call to a function that is no routine
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 90

static inline double square(double x)
{
    return x * x;
}

static double polynomial(double x)
{
    return square(x) * x - 2.0 * square(x) + 1.0;
}

int main(void)
{
    double a[N];
    for (int i = 0; i < N; i++)
        a[i] = 0.1 * i;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++)
        a[i] = polynomial(a[i]);
    for (int i = 0; i < N; i++) {
        double x = 0.1 * i;
        check_near("a", i, a[i], x * x * x - 2.0 * x * x + 1.0, 1e-12);
    }
    return finish();
}
