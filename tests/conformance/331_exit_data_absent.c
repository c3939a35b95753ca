// exit data of what is not present does nothing, with and without finalize.
// expect: launches=1 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static void leave(int n, int *a)
{
#pragma acc exit data delete (a[0:n])
#pragma acc exit data copyout(a[0:n])
#pragma acc exit data delete (a[0:n]) finalize
}

int main(void)
{
    int n = 20;
    int *a = calloc(n, sizeof *a);
    leave(n, a);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += i;
    leave(n, a);
    for (int i = 0; i < n; i++)
        check_int("a", i, a[i], i);
    free(a);
    return finish();
}
