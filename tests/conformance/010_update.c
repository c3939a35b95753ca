// update device and update self in a data region where nothing is copied by the region itself.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 64

int main(void)
{
    int a[N];
#pragma acc data create(a)
    {
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma acc update device(a)
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            a[i] = 2 * a[i] + 1;
#pragma acc update self(a)
        for (int i = 0; i < N; i++)
            check_int("a", i, a[i], 2 * i + 1);
    }
    return finish();
}
