// A pointer that may lead to a function of the library: the host runs the constructs that call through it.
// expect: launches=0
#include "../check.h"

static double integral(double (*f)(double), double from, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += f(from + i * 0.25);
    return sum;
}

static double square(double x) { return x * x; }

int main(void)
{
    double y[50];
#pragma omp target teams distribute parallel for map(from : y)
    for (int i = 0; i < 50; i++)
        y[i] = integral(i % 3 ? square : sin, i, 6);
    for (int i = 0; i < 50; i++)
        check_near("integral", i, y[i], integral(i % 3 ? square : sin, i, 6), 1e-12);
    return finish();
}
