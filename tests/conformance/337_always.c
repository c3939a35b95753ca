// The modifiers always, alwaysin and alwaysout: values travel even where the data is present, both ways or one.
// needs: separate
// expect: launches=5 uploads=4 downloads=3
#include "check.h"

#define N 100

static int a[N];

/* What the host has, what the device had before the construct, and what each has behind it. */
static void set(int host, int device)
{
    for (int i = 0; i < N; i++)
        a[i] = host;
    (void)device;
}

static void is(const char *what, int want)
{
    for (int i = 0; i < N; i++)
        check_int(what, i, a[i], want);
}

int main(void)
{
    set(1, 1);
#pragma acc enter data copyin(a)
    set(10, 1);
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++)
        a[i] += 1;
    is("copy of what is present", 10);

#pragma acc parallel loop copy(alwaysin : a)
    for (int i = 0; i < N; i++)
        a[i] += 2;
    is("alwaysin brings nothing back", 10);

    set(20, 12);
#pragma acc parallel loop copy(alwaysout : a)
    for (int i = 0; i < N; i++)
        a[i] += 3;
    is("alwaysout takes nothing along", 15);

    set(30, 15);
#pragma acc parallel loop copy(always : a)
    for (int i = 0; i < N; i++)
        a[i] += 4;
    is("always, both ways", 34);

    set(40, 34);
#pragma acc parallel loop copyin(always : a)
    for (int i = 0; i < N; i++)
        a[i] += 5;
    is("copyin has no way back", 40);
#pragma acc exit data copyout(a)
    is("at the end", 45);
    return finish();
}
