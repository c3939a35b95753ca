// private scalars: each iteration has its own, and the outer value survives.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 999

int main(void)
{
    int a[N], b[N], t = 12345, u;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel loop private(t, u) copyin(a) copyout(b)
    for (int i = 0; i < N; i++) {
        t = a[i] * 3;
        u = t + 1;
        b[i] = t * u;
    }
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], 3 * i * (3 * i + 1));
#ifdef _OPENACC
    check_int("t", 0, t, 12345);
#endif
    return finish();
}
