// The functions for queues: asynchronous transfers, one queue waiting for another.
// needs: runtime
// expect: launches=2 uploads=2 downloads=2
#include <openacc.h>
#include "check.h"

#define N 6000

static float a[N], b[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i % 50;
    acc_copyin_async(a, sizeof a, 1);
    acc_create(b, sizeof b);
    acc_update_device_async(b, sizeof b, 2);
#pragma acc parallel loop present(a) async(1)
    for (int i = 0; i < N; i++)
        a[i] += 1.0f;
    acc_wait_async(1, 2);
#pragma acc parallel loop present(a, b) async(2)
    for (int i = 0; i < N; i++)
        b[i] *= a[i];
    acc_update_self_async(b, sizeof b, 2);
    acc_wait(2);
    for (int i = 0; i < N; i++)
        check_near("b", i, b[i], (i % 50) * (i % 50 + 1), 0.0);
    acc_copyout(a, sizeof a);
    acc_delete(b, sizeof b);
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], i % 50 + 1, 0.0);
    return finish();
}
