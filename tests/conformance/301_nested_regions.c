// A data region inside another for the same array moves nothing: copy means present or copy.
// expect: launches=3 uploads=1 downloads=1
#include "check.h"

#define N 90

static void inner(int a[N], int value)
{
#pragma acc data copy(a[0:N])
    {
#pragma acc parallel loop copy(a[0:N])
        for (int i = 0; i < N; i++)
            a[i] += value;
    }
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc data copy(a)
    {
        inner(a, 10);
#pragma acc data copyin(a)
        {
            inner(a, 100);
        }
#pragma acc parallel loop copyout(a)
        for (int i = 0; i < N; i++)
            if (i % 2)
                a[i] += 1000;
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i + 110 + (i % 2 ? 1000 : 0));
    return finish();
}
