// A sum over a loop, started from a value that is not zero.
// expect: launches>=1 uploads>=1
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 100003;
    double *a = malloc(n * sizeof *a), sum = 5.0;
    for (int i = 0; i < n; i++)
        a[i] = (i % 17) * 0.5;
#pragma acc parallel loop copyin(a[:n]) reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    double want = 5.0;
    for (int i = 0; i < n; i++)
        want += a[i];
    check_near("sum", 0, sum, want, 1e-12);
    free(a);
    return finish();
}
