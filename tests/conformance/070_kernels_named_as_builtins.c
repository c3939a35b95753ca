// expect: launches=4
// Functions with constructs, called as built-in functions of OpenCL begin: their kernels are found by their names.
#include "check.h"

enum { N = 100 };

static double dot(const double *x, const double *y)
{
    double s = 0;
#pragma acc parallel loop reduction(+ : s) copyin(x[0:N], y[0:N])
    for (int i = 0; i < N; i++)
        s += x[i] * y[i];
    return s;
}

static void image_blur(double *x)
{
#pragma acc parallel loop copy(x[0:N])
    for (int i = 0; i < N; i++)
        x[i] *= 2;
}

static void half_step(double *x)
{
#pragma acc parallel loop copy(x[0:N])
    for (int i = 0; i < N; i++)
        x[i] *= 0.5;
}

static void atomic_model(double *x)
{
#pragma acc parallel loop copy(x[0:N])
    for (int i = 0; i < N; i++)
        x[i] += 1;
}

int main(void)
{
    double x[N], y[N];
    for (int i = 0; i < N; i++)
        x[i] = i, y[i] = 1;
    image_blur(x);
    half_step(x);
    atomic_model(x);
    check_near("dot", 0, dot(x, y), N * (N - 1) / 2.0 + N, 1e-12);
    return finish();
}
