// kernels around one independent loop over heap arrays.
// expect: launches=1 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static void scale(int n, const double *restrict x, double *restrict y)
{
#pragma acc kernels copyin(x[0:n]) copyout(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = 3.0 * x[i] - 1.0;
}

int main(void)
{
    int n = 777;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = i * 0.25;
    scale(n, x, y);
    for (int i = 0; i < n; i++)
        check_near("y", i, y[i], 3.0 * (i * 0.25) - 1.0, 1e-15);
    free(x);
    free(y);
    return finish();
}
