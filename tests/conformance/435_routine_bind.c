// routine with bind: device code calls the function that the clause names, the host the one that is written; nohost: the
// host program does not call it.
// needs: separate
// expect: launches=2 uploads=0 downloads=2
#include "check.h"

#define N 100

static int on_device(int i)
{
    return 2 * i;
}

#pragma acc routine seq bind(on_device)
static int where(int i)
{
    return -i;
}

#pragma acc routine seq nohost bind("on_device")
static int also(int i)
{
    return 100 + i;
}

#pragma acc routine(square) seq nohost
static int square(int i)
{
    return i * i;
}

int main(void)
{
    int a[N], b[N];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < N; i++)
        a[i] = where(i) + also(i);
#pragma acc parallel loop copyout(b)
    for (int i = 0; i < N; i++)
        b[i] = square(i);
    for (int i = 0; i < N; i++) {
        check_int("on the device", i, a[i], 4 * i);
        check_int("on the host", i, where(i), -i);
        check_int("nohost", i, b[i], i * i);
    }
    return finish();
}
