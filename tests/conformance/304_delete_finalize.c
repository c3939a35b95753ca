// finalize sets the dynamic count to zero whatever it was; delete moves nothing. The copyin after
// it finds the array absent and moves it again.
// expect: launches=1 uploads=2 downloads=1
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 77;
    int *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
#pragma acc enter data copyin(a[0:n])
#pragma acc enter data copyin(a[0:n])
#pragma acc enter data create(a[0:n])
#pragma acc exit data delete (a[0:n]) finalize
    for (int i = 0; i < n; i++)
        a[i] = 3 * i;
#pragma acc data copyin(a[0:n]) copyout(b[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            b[i] = a[i] + 1;
    }
    for (int i = 0; i < n; i++)
        check_int("b", i, b[i], 3 * i + 1);
    free(a);
    free(b);
    return finish();
}
