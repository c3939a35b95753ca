// async without an argument, acc_async_noval, and acc_async_sync, which waits as if async were not there.
// needs: runtime
// expect: launches=4 uploads=1 downloads=3
#include <openacc.h>
#include "check.h"

#define N 2000

static int a[N];

int main(void)
{
#pragma acc data copy(a)
    {
#pragma acc parallel loop async
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma acc parallel loop async
        for (int i = 0; i < N; i++)
            a[i] *= 5;
#pragma acc update self(a) async
#pragma acc wait
        for (int i = 0; i < N; i++)
            check_int("a", i, a[i], 5);
#pragma acc parallel loop async(acc_async_sync)
        for (int i = 0; i < N; i++)
            a[i] += 2;
#pragma acc update self(a) async(acc_async_sync)
        for (int i = 0; i < N; i++)
            check_int("a", i, a[i], 7);
#pragma acc parallel loop async(acc_async_noval)
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma acc wait
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 8);
    return finish();
}
