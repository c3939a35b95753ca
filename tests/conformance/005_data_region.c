// Two kernels in one data region: the arrays move once, the intermediate one never.
// expect: launches=2 uploads=1 downloads=1
#include "check.h"

#define N 1025

int main(void)
{
    double in[N], middle[N], out[N];
    for (int i = 0; i < N; i++) {
        in[i] = i;
        out[i] = -1.0;
    }
#pragma acc data copyin(in) create(middle) copyout(out)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            middle[i] = in[i] + 1.0;
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            out[i] = middle[N - 1 - i] * 2.0;
    }
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], (N - i) * 2.0, 0.0);
    return finish();
}
