// copy: elements the kernel does not write keep their values.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 333

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = 10 * i;
#pragma acc parallel loop copy(a[0:N])
    for (int i = 0; i < N; i++)
        if (i % 3 == 0)
            a[i] = -i;
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i % 3 == 0 ? -i : 10 * i);
    return finish();
}
