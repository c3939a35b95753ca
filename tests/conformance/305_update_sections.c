// update of sections, several in one directive, in both directions, bounds from variables.
// gcc: rejects, one array twice in a directive
// expect: launches=2 uploads=3 downloads=3
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 400, third = 133;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc data copyin(a[:n])
    {
        for (int i = 10; i < 20; i++)
            a[i] = -1.0;
        for (int i = third; i < third + 50; i++)
            a[i] = -2.0;
#pragma acc update device(a[10:10], a[third:50])
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] *= 2.0;
#pragma acc update self(a[:20])
        for (int i = 0; i < 20; i++)
            check_near("a", i, a[i], i < 10 ? 2.0 * i : -2.0, 0.0);
#pragma acc parallel loop
        for (int i = 20; i < n; i++)
            a[i] += 0.5;
#pragma acc update host(a[20:third - 20], a[third:n - third])
    }
    for (int i = 20; i < n; i++)
        check_near("a", i, a[i], (i >= third && i < third + 50 ? -4.0 : 2.0 * i) + 0.5, 0.0);
    free(a);
    return finish();
}
