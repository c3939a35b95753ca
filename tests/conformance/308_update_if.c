// update with if_present on an array that is absent, and with if(0): nothing moves.
// expect: launches=1 uploads=1 downloads=2
#include <stdlib.h>
#include "check.h"

static void refresh(int n, int *a)
{
#pragma acc update self(a[0:n]) if_present
}

int main(void)
{
    int n = 55;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    refresh(n, a);
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] += 4;
#pragma acc update self(a[0:n]) if (n > 1000)
        refresh(n, a);
        for (int i = 0; i < n; i++)
            check_int("a", i, a[i], i + 4);
    }
    refresh(n, a);
    free(a);
    return finish();
}
