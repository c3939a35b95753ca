// expect: launches=2
// An update of the device on one queue takes what an update of the host on another queue brought before, where `wait` orders them.
// needs: separate
#include "check.h"

enum { N = 3000 };

static double a[N], b[N];

int main(void)
{
#pragma acc data create(a, b)
    {
#pragma acc parallel loop async(1)
        for (int i = 0; i < N; i++)
            a[i] = 2 * i;
#pragma acc update self(a) async(1)
#pragma acc wait(1) async(2)
#pragma acc update device(a[0:N / 2]) async(2)
#pragma acc parallel loop async(2)
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
#pragma acc update self(b) async(2)
#pragma acc wait(2)
    }
    for (int i = 0; i < N; i++)
        check_near("b", i, b[i], 2 * i + 1, 0);
    return finish();
}
