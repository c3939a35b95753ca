// A reduction variable that the loop only writes: a flag.
// expect: launches=2 uploads>=1 downloads=0
#include "check.h"

#define N 1000

static int any_above(const int *a, int limit)
{
    int found = 0;
#pragma acc parallel loop copyin(a[0 : N]) reduction(|| : found)
    for (int i = 0; i < N; i++) {
        if (a[i] <= limit)
            continue;
        found = 1;
    }
    return found;
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
    check_int("some are above", 0, any_above(a, 998), 1);
    check_int("none is above", 0, any_above(a, 999), 0);
    return finish();
}
