// expect: launches=27
// Loops of one parallel construct that use what other gangs wrote: gangs do not wait for each other, so the construct is
// run as a kernels construct, with a launch for each loop and each turn of a time step.
#include "check.h"

enum { N = 700, STEPS = 10 };

static double a[N], b[N], mean[N], data[N][N];

int main(void)
{
    // A loop after the other.
#pragma acc parallel copyout(a, b)
    {
#pragma acc loop
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma acc loop
        for (int i = 0; i < N; i++)
            b[i] = a[N - 1 - i];
    }
    for (int i = 0; i < N; i++)
        check_near("b", i, b[i], N - 1 - i, 0);

    // A time step around loops.
#pragma acc parallel copy(a, b) num_gangs(32) vector_length(64)
    for (int t = 0; t < STEPS; t++) {
#pragma acc loop gang vector
        for (int i = 1; i < N - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
#pragma acc loop gang vector
        for (int i = 1; i < N - 1; i++)
            a[i] = b[i] + t;
    }
    double u[N], v[N];
    for (int i = 0; i < N; i++)
        u[i] = i, v[i] = N - 1 - i;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        for (int i = 1; i < N - 1; i++)
            u[i] = v[i] + t;
    }
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], u[i], 1e-12);

    // Another number of iterations each, columns and rows.
#pragma acc parallel copyout(mean, data)
    {
#pragma acc loop
        for (int i = 0; i < N; i++)
#pragma acc loop
            for (int j = 0; j < N; j++)
                data[i][j] = i + j;
#pragma acc loop
        for (int j = 0; j < N; j++) {
            double s = 0;
#pragma acc loop reduction(+ : s)
            for (int i = 0; i < N; i++)
                s += data[i][j];
            mean[j] = s / N;
        }
#pragma acc loop
        for (int i = 0; i < N; i++)
#pragma acc loop
            for (int j = 0; j < N; j++)
                data[i][j] -= mean[j];
    }
    for (int j = 0; j < N; j++)
        check_near("data", j, data[7][j], 7 - (N - 1) / 2.0, 1e-12);

    // The same gang uses what it wrote: one launch, as it stands.
#pragma acc parallel copyout(a, b)
    {
#pragma acc loop gang vector
        for (int i = 0; i < N; i++)
            a[i] = 3 * i;
#pragma acc loop gang vector
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
    }
    // And one gang has nobody to wait for.
#pragma acc parallel num_gangs(1) copy(a)
    for (int t = 0; t < STEPS; t++) {
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
    for (int i = 0; i < N; i++) {
        check_near("a", i, a[i], 3 * i + STEPS, 0);
        check_near("b", i, b[i], 3 * i + 1, 0);
    }
    return finish();
}
