// wait with a list of queues, and wait with async: one queue waits for two others.
// expect: launches=4 uploads=0 downloads=1
#include "check.h"

#define N 5000

int main(void)
{
    static double a[N], b[N], c[N];
#pragma acc data create(a, b) copyout(c)
    {
#pragma acc parallel loop async(1)
        for (int i = 0; i < N; i++)
            a[i] = sin(i * 0.001) + i;
#pragma acc parallel loop async(2)
        for (int i = 0; i < N; i++)
            b[i] = 2.0 * i;
#pragma acc wait(1, 2) async(3)
#pragma acc parallel loop async(3)
        for (int i = 0; i < N; i++)
            c[i] = a[N - 1 - i] - b[N - 1 - i];
#pragma acc wait(3)
#pragma acc parallel loop async(2)
        for (int i = 0; i < N; i++)
            c[i] *= 10.0;
#pragma acc wait(2)
    }
    for (int i = 0; i < N; i++) {
        int j = N - 1 - i;
        check_near("c", i, c[i], 10.0 * (sin(j * 0.001) - j), 1e-12);
    }
    return finish();
}
