// Time steps in an asynchronous kernels construct, in a data region, under `if`; the host's part reads a reduction
// in one of them.
// expect: uploads=1 downloads=1
#include "check.h"

#define N 500

static int run(float *restrict a, int steps, int on)
{
    int above = 0;
#pragma acc kernels async(2) present(a[0:N]) if (on)
    {
        for (int t = 0; t < steps; t++) {
            int count = 0;
            for (int i = 0; i < N; i++)
                a[i] = a[i] * 0.5f + t;
            for (int i = 0; i < N; i++)
                count += a[i] > 1.5f;
            if (count > N / 2)
                above++;
        }
    }
#pragma acc kernels async(2) present(a[0:N])
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma acc wait(2)
    return above;
}

int main(void)
{
    static float a[N], want[N];
    for (int i = 0; i < N; i++)
        a[i] = want[i] = i % 10;
    int above = -1, want_above = 0;
#pragma acc data copy(a)
    {
        above = run(a, 6, 1);
    }
    for (int t = 0; t < 6; t++) {
        int count = 0;
        for (int i = 0; i < N; i++) {
            want[i] = want[i] * 0.5f + t;
            count += want[i] > 1.5f;
        }
        want_above += count > N / 2;
    }
    check_int("above", 0, above, want_above);
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], want[i] + 6, 1e-6);
    return finish();
}
