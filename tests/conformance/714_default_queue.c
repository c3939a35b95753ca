// acc_set_default_async: async without an argument means the queue set there.
// needs: runtime
// gcc: rejects, no such functions
// expect: launches=2 uploads=1 downloads=1
#include <openacc.h>
#include "check.h"

#define N 6000

static float a[N];

int main(void)
{
#pragma acc data copy(a)
    {
        int before = acc_get_default_async();
        acc_set_default_async(5);
        check_int("default queue", 0, acc_get_default_async(), 5);
#pragma acc parallel loop async
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma acc parallel loop async(5)
        for (int i = 0; i < N; i++)
            a[i] *= 2.0f;
        acc_wait(5);
        check_true("the queue is done", acc_async_test(5));
        acc_set_default_async(before);
    }
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], 2.0f * i, 0.0);
    return finish();
}
