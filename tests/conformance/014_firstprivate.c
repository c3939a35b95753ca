// firstprivate: every gang starts with the host's value and changes only its own.
// expect: launches=2 downloads=1
#include "check.h"

#define N 512

int main(void)
{
    int a[N], base = 40;
#pragma acc parallel loop gang firstprivate(base) num_gangs(8) copyout(a)
    for (int i = 0; i < N; i++)
        a[i] = base + i;
#pragma acc parallel firstprivate(base) num_gangs(4)
    {
        base += 1;
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 40 + i);
    return finish();
}
