// Nothing asynchronous is under way: acc_async_test_all says so, whatever synchronous constructs have just done.
// expect: launches=2
#include "check.h"
#include <openacc.h>

int main(void)
{
    int a[64], b[64], seen = 0;
    for (int i = 0; i < 64; i++)
        a[i] = b[i] = i;
#pragma acc parallel loop async(3) copy(a)
    for (int i = 0; i < 64; i++)
        a[i] *= 2;
    acc_wait_all();
    for (int turn = 0; turn < 20; turn++) {
#pragma acc enter data copyin(b)
        check_true("nothing is under way", acc_async_test_all() != 0);
#pragma acc exit data delete(b)
        check_true("nothing is under way", acc_async_test_all() != 0 && acc_async_test(acc_async_sync) != 0);
    }
#pragma acc enter data copyin(b)
#pragma acc serial present(b) copyout(seen)
    seen = b[9];
    check_true("done", acc_async_test_all() != 0 && acc_async_test(3) != 0);
#pragma acc exit data delete(b)
    check_int("seen", 0, seen, 9);
    check_int("a", 9, a[9], 18);
    return finish();
}
