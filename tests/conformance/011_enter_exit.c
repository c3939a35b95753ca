// enter data in one function, compute in a second, exit data in a third.
// expect: launches=1 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static double *allocate(int n)
{
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc enter data copyin(a[0:n])
    return a;
}

static void compute(int n, double *a)
{
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 0.5;
}

static void fetch(int n, double *a)
{
#pragma acc exit data copyout(a[0:n])
}

int main(void)
{
    int n = 200;
    double *a = allocate(n);
    compute(n, a);
    fetch(n, a);
    for (int i = 0; i < n; i++)
        check_near("a", i, a[i], i + 0.5, 0.0);
    free(a);
    return finish();
}
