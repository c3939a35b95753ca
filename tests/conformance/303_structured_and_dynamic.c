// Structured and dynamic counts together: exit data inside a region does not remove what the region
// holds; the region's end does not remove what enter data holds.
// expect: launches=4 uploads=2 downloads=2
#include "check.h"

#define N 60

static int a[N], b[N];

static void add(int *x, int value)
{
#pragma acc parallel loop present(x[0:N])
    for (int i = 0; i < N; i++)
        x[i] += value;
}

int main(void)
{
    /* Entered before the region, left inside it: the region's end copies out. */
#pragma acc enter data copyin(a)
#pragma acc data copy(a)
    {
        add(a, 1);
#pragma acc exit data delete (a)
        add(a, 2);
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 3);

    /* Entered inside the region, left after it: exit data copies out. */
#pragma acc data copy(b)
    {
        add(b, 10);
#pragma acc enter data create(b)
    }
    add(b, 20);
#pragma acc exit data copyout(b)
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], 30);
    return finish();
}
