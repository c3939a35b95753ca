// Dynamic reference counts: the second enter moves nothing, and so does the first of two exits.
// expect: launches=2 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static void add(int n, float *a)
{
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1.0f;
}

int main(void)
{
    int n = 140;
    float *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc enter data copyin(a[0:n])
#pragma acc enter data copyin(a[0:n])
    add(n, a);
#pragma acc exit data copyout(a[0:n])
    add(n, a);
#pragma acc exit data copyout(a[0:n])
    for (int i = 0; i < n; i++)
        check_near("a", i, a[i], i + 2.0f, 0.0);
    free(a);
    return finish();
}
