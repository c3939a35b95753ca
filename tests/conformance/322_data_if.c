// if on data, enter data and exit data: false leaves the array to the compute construct.
// expect: launches=3 uploads=3 downloads=2
#include "check.h"

#define N 25

static void run(int a[N], int keep)
{
#pragma acc data copy(a[0:N]) if (keep)
    {
#pragma acc parallel loop copy(a[0:N])
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
}

int main(void)
{
    int a[N] = {0}, enter = 1;
    run(a, 0);
    run(a, 1);
#pragma acc enter data copyin(a) if (enter)
#pragma acc enter data copyin(a) if (!enter)
#pragma acc parallel loop present(a)
    for (int i = 0; i < N; i++)
        a[i] += 0;
#pragma acc exit data copyout(a) if (!enter)
#pragma acc exit data delete (a) if (enter)
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 2);
    return finish();
}
