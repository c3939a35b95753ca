// if(0) runs the region on the host: no launch, no transfer. if(1) launches.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 128

static void add(int a[N], int value, int offload)
{
#pragma acc parallel loop copy(a[0:N]) if(offload)
    for (int i = 0; i < N; i++)
        a[i] += value;
}

int main(void)
{
    int a[N] = {0};
    add(a, 1, 0);
    add(a, 10, 1);
    add(a, 100, 0);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 111);
    return finish();
}
