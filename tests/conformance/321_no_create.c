// no_create: the device's copy if there is one, and no error where there is none and none is used.
// expect: launches=2 uploads=3 downloads=2
#include "check.h"

#define N 64

static void add(int a[N], int extra[N], int use_extra)
{
#pragma acc parallel loop copy(a[0:N]) no_create(extra[0:N])
    for (int i = 0; i < N; i++)
        a[i] += use_extra ? extra[i] : 1;
}

int main(void)
{
    int a[N] = {0}, extra[N];
    for (int i = 0; i < N; i++)
        extra[i] = i;
    add(a, extra, 0);
#pragma acc data copyin(extra) copy(a)
    {
        add(a, extra, 1);
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i + 1);
    return finish();
}
