// default(present) of a data construct holds for the constructs in it: what is not there is an error, and not brought.
// needs: separate
// expect-exit: nonzero
// expect-stderr: accl: error.*q.*
#include "check.h"

#define N 300

int main(void)
{
    static float a[N], b[N];
    float *p = a, *q = b;
#pragma acc data copyin(p[0:N]) default(present)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            q[i] = p[i];
    }
    return finish();
}
