// Device and host copies are two: only update makes one see the other's changes.
// needs: separate
// expect: launches=1 uploads=2 downloads=1
#include "check.h"

#define N 30

int main(void)
{
    int a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc data copyin(a) copyout(b)
    {
        for (int i = 0; i < N; i++)
            a[i] = 1000;
#pragma acc update device(a[5:10])
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            b[i] = a[i];
            a[i] = -5;
        }
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], 1000);
        check_int("b", i, b[i], i >= 5 && i < 15 ? 1000 : i);
    }
    return finish();
}
