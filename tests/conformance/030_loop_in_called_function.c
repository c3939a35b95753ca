// The same construct reached many times, from several call sites and within a host loop.
// expect: launches=21 uploads=1 downloads=1
#include "check.h"

#define N 50

static int a[N];

static void add(int value)
{
#pragma acc parallel loop present(a)
    for (int i = 0; i < N; i++)
        a[i] += value;
}

int main(void)
{
#pragma acc data copy(a)
    {
        for (int step = 0; step < 10; step++) {
            add(step);
            add(1);
        }
        add(100);
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 45 + 10 + 100);
    return finish();
}
