// A variable that is firstprivate and lastprivate, as Cython writes each loop's: where every iteration sets it first, the
// loop is parallel on the device. Where an iteration that sets nothing would leave the old value, the threads keep the loop.
// expect: launches=2
// expect-remark: Parallel region stays with the host's threads
#include "../check.h"
#include <stdlib.h>

int main(void)
{
    enum { N = 3000 };
    double *x = malloc(N * sizeof *x);
    long i = -5, t, last = 7, rest;
    double v = 1.5, kept = 2.5;
#pragma omp parallel private(rest)
    {
#pragma omp for nowait firstprivate(i, kept) lastprivate(i)
        for (t = 0; t < N; t++) {
            i = 2 * t;
            rest = i % 5;
            x[t] = rest + kept;
        }
    }
    check_int("i", 0, i, 2 * (N - 1));
    for (t = 0; t < N; t++)
        check_near("x", t, x[t], 2 * t % 5 + 2.5, 0);
#pragma omp parallel for firstprivate(v) lastprivate(v, last)
    for (t = 0; t < N; t++) {
        v = x[t] + 1;
        last = t;
    }
    check_near("v", 0, v, 2 * (N - 1) % 5 + 3.5, 0);
    check_int("last", 0, last, N - 1);
    last = 11;
#pragma omp parallel for firstprivate(last) lastprivate(last) schedule(static, 1) num_threads(1)
    for (t = 0; t < N; t++)
        if (t % 2 == 0)
            last = t;
    check_int("last even", 0, last, N - 2);
    return finish();
}
