// acc_update_device and acc_update_self, on whole arrays and on pieces.
// needs: runtime
// expect: launches=2 uploads=2 downloads=2
#include <openacc.h>
#include "check.h"

#define N 128

int main(void)
{
    int a[N];
#pragma acc data create(a)
    {
        for (int i = 0; i < N; i++)
            a[i] = i;
        acc_update_device(a, sizeof a);
#pragma acc parallel loop present(a)
        for (int i = 0; i < N; i++)
            a[i] *= 2;
        acc_update_self(a, sizeof a);
        for (int i = 0; i < N; i++)
            check_int("a", i, a[i], 2 * i);
        for (int i = 40; i < 60; i++)
            a[i] = -1;
        acc_update_device(a + 40, 20 * sizeof *a);
#pragma acc parallel loop present(a)
        for (int i = 0; i < N; i++)
            a[i] += 1000;
        acc_update_self(&a[30], 70 * sizeof *a);
        for (int i = 30; i < 100; i++)
            check_int("part", i, a[i], (i >= 40 && i < 60 ? -1 : 2 * i) + 1000);
    }
    return finish();
}
