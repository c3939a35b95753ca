// routine seq: functions called from a kernel, that call each other, static and not, before and
// after their definition.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 600

#pragma acc routine seq
static int gcd(int a, int b);

#pragma acc routine seq
double root(double x)
{
    double r = x > 1.0 ? x : 1.0;
    for (int k = 0; k < 60; k++)
        r = 0.5 * (r + x / r);
    return r;
}

#pragma acc routine seq
static double combine(int i, double x)
{
    return gcd(i, 360) + root(x);
}

int main(void)
{
    double in[N], out[N];
    for (int i = 0; i < N; i++)
        in[i] = i * 0.75 + 0.5;
#pragma acc parallel loop copyin(in) copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = combine(i, in[i]);
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], gcd(i, 360) + sqrt(in[i]), 1e-13);
    return finish();
}

static int gcd(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
