// <, <=, bounds on the left, bounds that are expressions, calls and array elements of the host.
// expect: launches=5 uploads=5 downloads=5
#include "check.h"

#define N 150

static int a[N];

static int bound(void)
{
    return 77;
}

int main(void)
{
    int limits[2] = {9, 61};
#pragma acc parallel loop copy(a)
    for (int i = 0; i <= N - 1; i++)
        a[i] += 1;
#pragma acc parallel loop copy(a)
    for (int i = 3; N > i; i++)
        a[i] += 10;
#pragma acc parallel loop copy(a)
    for (int i = 0; N / 2 > i; i++)
        a[i] += 100;
    int last = bound();
#pragma acc parallel loop copy(a)
    for (int i = last - 70; i < last; ++i)
        a[i] += 1000;
    int low = limits[0], high = limits[1];
#pragma acc parallel loop copy(a)
    for (int i = low; high >= i; i++)
        a[i] += 10000;
    for (int i = 0; i < N; i++) {
        int want = 1 + (i >= 3 ? 10 : 0) + (i < N / 2 ? 100 : 0);
        want += i >= 7 && i < 77 ? 1000 : 0;
        want += i >= 9 && i <= 61 ? 10000 : 0;
        check_int("a", i, a[i], want);
    }
    return finish();
}
