// Conversions of constants are made one after the other, as C has them.
// expect: launches=1 downloads=2
#include "check.h"

#define N 8

int main(void)
{
    double d[N];
    int steps[N];
#pragma acc parallel loop copyout(d, steps)
    for (int i = 0; i < N; i++) {
        double x = i;
        d[i] = 0.1f * x + (double)(int)2.9 + (double)(float)0.3 + (float)(signed char)300 + (int)2.5f;
        /* Sequential loops that no directive counts. */
        int count = 0;
        for (int k = 0; k < 10.5; k++)
            count += k;
        for (int k = 20; k > i; k -= 2.5)
            count += 100 * k;
        for (int k = 0; (signed char)k >= 0; k++)
            count++;
        steps[i] = count;
    }
    for (int i = 0; i < N; i++) {
        double x = i;
        check_near("d", i, d[i], 0.1f * x + 2 + (double)0.3f + 44 + 2, 1e-15);
        int count = 55 + 128;
        for (int k = 20; k > i; k = (int)(k - 2.5))
            count += 100 * k;
        check_int("steps", i, steps[i], count);
    }
    return finish();
}
