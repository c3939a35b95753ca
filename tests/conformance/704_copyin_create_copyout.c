// acc_copyin, acc_create, acc_copyout and acc_delete count and move as the directives do.
// needs: runtime
// expect: launches=2 uploads=1 downloads=1
#include <openacc.h>
#include "check.h"

#define N 210

static double a[N], b[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i;
    void *first = acc_copyin(a, sizeof a);
    void *second = acc_copyin(a, sizeof a);
    check_true("one copy", first == second);
    acc_create(b, sizeof b);
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < N; i++)
        b[i] = 2.0 * a[i];
    acc_delete(a, sizeof a);
    check_true("a is present still", acc_is_present(a, sizeof a));
#pragma acc parallel loop copyin(a) copyout(b)
    for (int i = 0; i < N; i++)
        b[i] += a[i];
    acc_delete(a, sizeof a);
    acc_copyout(b, sizeof b);
    for (int i = 0; i < N; i++)
        check_near("b", i, b[i], 3.0 * i, 0.0);
    return finish();
}
