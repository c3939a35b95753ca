// Two work-shared loops in one parallel region, on different arrays.
// expect: launches>=1 uploads=1 downloads=2
#include "check.h"

#define N 700

int main(void)
{
    float a[N], b[N], c[N / 2];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel copyin(a) copyout(b, c)
    {
#pragma acc loop gang vector
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 0.5f;
#pragma acc loop gang vector
        for (int i = 0; i < N / 2; i++)
            c[i] = a[2 * i] - a[2 * i + 1];
    }
    for (int i = 0; i < N; i++)
        check_near("b", i, b[i], i + 0.5f, 0.0);
    for (int i = 0; i < N / 2; i++)
        check_near("c", i, c[i], -1.0, 0.0);
    return finish();
}
