// C's complex numbers in compute regions.
#include "check.h"
#include <complex.h>

struct Pair {
    double complex a;
    float complex b;
};

static double complex square(double complex z) { return z * z; }

static void all(int i, double complex z, struct Pair *p, double complex *result, double *reals)
{
    double complex t = z * 2 + 3 * I, u = i, list[2] = {1 + 2 * I};
    float complex f = (float)i + 0.5f * I;
    t += i;
    t *= z;
    t -= 1.0 / t;
    t /= f + 4;
    __real__ u += 2;
    __imag__ u = 1;
    p->a = -t + ~u;
    p->b = conjf(f) + (float complex)t;
    *result = square(t) + u + list[0] + list[1] + conj(t) + cexp(I * creal(t) / 100) + csqrt(t) + p->b;
    reals[0] = creal(t);
    reals[1] = cimag(t);
    reals[2] = cabs(t);
    reals[3] = carg(t);
    reals[4] = __imag__ u + (t == u) + 2 * (u != u) + 4 * !t + 8 * (t && i);
    reals[5] = t;
    reals[5] += creal(u);
}

int main(void)
{
    enum { n = 50 };
    double complex z[n], results[n], w = 0.5 + 2.0 * I;
    double reals[n][6], sum = 0;
    struct Pair pairs[n];
    for (int i = 0; i < n; i++)
        z[i] = i - 3 * I;
#pragma acc parallel loop copyin(z) copyout(results, reals, pairs)
    for (int i = 0; i < n; i++)
        all(i, z[i] + w, &pairs[i], &results[i], reals[i]);
    for (int i = 0; i < n; i++) {
        double complex result;
        double expected[6];
        struct Pair pair;
        all(i, z[i] + w, &pair, &result, expected);
        check_near("result", i, cabs(results[i] - result) / cabs(result), 0, 1e-6);
        check_near("a", i, cabs(pairs[i].a - pair.a) / cabs(pair.a), 0, 1e-13);
        check_near("b", i, cabsf(pairs[i].b - pair.b) / cabsf(pair.b), 0, 1e-6);
        for (int k = 0; k < 6; k++)
            check_near("real", 6 * i + k, reals[i][k], expected[k], 1e-13);
    }
#pragma acc parallel loop reduction(+:sum) copyin(z)
    for (int i = 0; i < n; i++) {
        double complex t = z[i] * w;
        sum += creal(t * conj(t));
    }
    double serial = 0;
    for (int i = 0; i < n; i++)
        serial += creal(z[i] * w * conj(z[i] * w));
    check_near("sum", 0, sum, serial, 1e-12);
    return finish();
}
