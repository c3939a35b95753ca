// flags: -O2
// expect: launches=3
/* Steps of an iteration read what earlier steps of it have written. Compilers that are told that iterations are independent
 * must not take that for a word about steps. */
#include "check.h"

#define N 77
#define C 8

static void steps(double a[N * C], const int *ix)
{
    for (int k = 0; k < N; k++)
        for (int i = 1; i < C; i++)
            a[k * C + i] += a[k * C + i - 1];
    for (int k = 0; k < N; k++)
        for (int i = 0; i < C; i++)
            a[k * C + i] -= a[k * C + ix[i]] + i;
    for (int k = 0; k < N; k++)
        for (int i = 0; i < C; i++)
            a[k * C + (i + k) % C] = 0.5 * a[k * C + i] + i;
}

int main(void)
{
    static double a[N * C], want[N * C];
    int ix[C];
    for (int i = 0; i < C; i++)
        ix[i] = C - 1 - i;
    for (int i = 0; i < N * C; i++)
        a[i] = want[i] = i % 13;
    steps(want, ix);

#pragma acc data copy(a) copyin(ix)
    {
#pragma acc parallel loop
        for (int k = 0; k < N; k++)
            for (int i = 1; i < C; i++)
                a[k * C + i] += a[k * C + i - 1];
#pragma acc parallel loop
        for (int k = 0; k < N; k++)
            for (int i = 0; i < C; i++)
                a[k * C + i] -= a[k * C + ix[i]] + i;
#pragma acc parallel loop
        for (int k = 0; k < N; k++)
            for (int i = 0; i < C; i++)
                a[k * C + (i + k) % C] = 0.5 * a[k * C + i] + i;
    }
    for (int i = 0; i < N * C; i++)
        check_near("a", i, a[i], want[i], 1e-12);
    return finish();
}
