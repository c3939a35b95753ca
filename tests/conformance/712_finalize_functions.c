// acc_copyout_finalize and acc_delete_finalize remove whatever the count.
// needs: runtime
// needs: separate
// expect: launches=1 uploads=2 downloads=1
#include <openacc.h>
#include "check.h"

#define N 18

static int a[N], b[N];

int main(void)
{
    for (int k = 0; k < 3; k++) {
        acc_copyin(a, sizeof a);
        acc_copyin(b, sizeof b);
    }
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i + 1;
    acc_copyout_finalize(a, sizeof a);
    acc_delete_finalize(b, sizeof b);
    check_true("both are absent", !acc_is_present(a, sizeof a) && !acc_is_present(b, sizeof b));
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], i + 1);
        check_int("b", i, b[i], 0);
    }
    return finish();
}
