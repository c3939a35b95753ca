// A clause that names a pointer alone: the construct moves what its loops use, or uses what is present.
// expect: launches=2 uploads=1 downloads=1
// flags: -w
#include "check.h"
#include <stdlib.h>

static void scale(int n, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop copyin(x) copy(y)
    for (int i = 0; i < n; i++)
        y[i] += 2 * x[i];
}

int main(void)
{
    int n = 500;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = i;
#pragma acc data copyin(x[0:n]) copyout(y[0:n])
    {
#pragma acc parallel loop present(y)
        for (int i = 0; i < n; i++)
            y[i] = 1;
        scale(n, x, y);
    }
    for (int i = 0; i < n; i++)
        check_near("y", i, y[i], 1 + 2.0 * i, 0);
    free(x);
    free(y);
    return finish();
}
