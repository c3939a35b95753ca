// acc_async_test turns true and stays so; acc_async_test_all; the waits of the runtime API.
// needs: runtime
// expect: launches=3 uploads=1 downloads=1
#include <openacc.h>
#include "check.h"

#define N 10000

static int a[N];

int main(void)
{
#pragma acc data copy(a)
    {
#pragma acc parallel loop async(7)
        for (int i = 0; i < N; i++)
            a[i] += 1;
        while (!acc_async_test(7))
            ;
        check_true("queue 7 is done", acc_async_test(7));
#pragma acc parallel loop async(7)
        for (int i = 0; i < N; i++)
            a[i] *= 3;
        acc_wait(7);
        check_true("queue 7 is done after acc_wait", acc_async_test(7));
#pragma acc parallel loop async(8)
        for (int i = 0; i < N; i++)
            a[i] += 2;
        acc_wait_all();
        check_true("all queues are done", acc_async_test_all());
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 5);
    return finish();
}
