// Pointers that alias without restrict: the same array read and written under two names, in
// kernels, where nobody promised independence.
// expect: launches>=2 uploads>=1 downloads>=1
#include <stdlib.h>
#include "check.h"

static void accumulate(int n, int *a, int *b)
{
#pragma acc kernels copy(a[0:n + 1], b[0:n])
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
}

int main(void)
{
    int n = 300;
    int *x = calloc(n + 2, sizeof *x), *y = calloc(n + 2, sizeof *y);
#pragma acc data copy(x[0:n + 2], y[0:n + 2])
    {
        accumulate(n, x + 1, x); /* a recurrence: x[i + 1] = x[i] + 1 */
        accumulate(n, y, x);     /* two arrays */
    }
    for (int i = 0; i <= n; i++)
        check_int("x", i, x[i], i);
    for (int i = 0; i < n; i++)
        check_int("y", i, y[i], i + 1);
    free(x);
    free(y);
    return finish();
}
