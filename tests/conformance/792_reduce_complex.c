// Complex numbers are added up, as variables and as elements (2.5.15).
// expect: launches>=3
#include "check.h"
#define CHECK(condition) check_true(#condition, condition)
#include <complex.h>

#define N 1025

int main(void)
{
    double _Complex z[N], sum = 1.0 + 2.0 * I;
    float _Complex bins[3] = {0};
    for (int i = 0; i < N; i++)
        z[i] = i - 2.0 * i * I;
#pragma acc parallel loop reduction(+ : sum) copyin(z)
    for (int i = 0; i < N; i++)
        sum += z[i];
    CHECK(creal(sum) == 1 + N * (N - 1) / 2 && cimag(sum) == 2 - N * (N - 1));
#pragma acc parallel loop reduction(+ : bins) copyin(z)
    for (int i = 0; i < N; i++)
        bins[i % 3] += 1.0f + 1.0f * I;
    CHECK(crealf(bins[0]) == 342 && cimagf(bins[2]) == 341);
    double re = 0, im = 0;
#pragma acc parallel loop reduction(+ : re, im) copyin(z)
    for (int i = 0; i < N; i++) {
        re += creal(z[i]);
        im += cimag(z[i]);
    }
    CHECK(re == N * (N - 1) / 2 && im == -N * (N - 1));
    return finish();
}
