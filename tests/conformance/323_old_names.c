// The older names of the data clauses: pcopy, pcopyin, pcopyout, pcreate, present_or_...
// expect: launches=4 uploads=4 downloads=4
#include "check.h"

#define N 40

static int a[N], b[N], t[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc data pcopyin(a) pcopyout(b) pcreate(t)
    {
#pragma acc parallel loop present_or_copy(t)
        for (int i = 0; i < N; i++)
            t[i] = 2 * a[i];
#pragma acc parallel loop pcopy(t)
        for (int i = 0; i < N; i++)
            b[i] = t[i] + 1;
    }
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], 2 * i + 1);
#pragma acc parallel loop present_or_copyin(a) present_or_copyout(b) present_or_create(t)
    for (int i = 0; i < N; i++) {
        t[i] = a[i];
        b[i] = t[i];
    }
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], i);
#pragma acc parallel loop pcopy(a, b)
    for (int i = 0; i < N; i++)
        a[i] = b[i] + 3;
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i + 3);
    return finish();
}
