// Loops that count down: by one, by more, to a bound that is not zero, with > and with >=.
// expect: launches=4 uploads=4 downloads=4
#include "check.h"

#define N 211

static int a[N];

int main(void)
{
    int want[N] = {0};
#pragma acc parallel loop copy(a)
    for (int i = N - 1; i >= 0; i--)
        a[i] += i;
#pragma acc parallel loop copy(a)
    for (int i = N - 1; i > 10; i -= 7)
        a[i] += 1000;
#pragma acc parallel loop copy(a)
    for (long i = N - 2; i >= 5; i = i - 4)
        a[i] += 5000;
#pragma acc kernels loop independent copy(a)
    for (int i = N - 1; i >= 0; --i)
        a[i] = -a[i];
    for (int i = N - 1; i >= 0; i--)
        want[i] += i;
    for (int i = N - 1; i > 10; i -= 7)
        want[i] += 1000;
    for (int i = N - 2; i >= 5; i -= 4)
        want[i] += 5000;
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], -want[i]);
    return finish();
}
