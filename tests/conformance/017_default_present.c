// default(present): arrays without a clause must be there already, so nothing is copied.
// expect: launches=2 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static void twice(int n, float *restrict a)
{
#pragma acc parallel loop default(present)
    for (int i = 0; i < n; i++)
        a[i] *= 2.0f;
}

int main(void)
{
    int n = 258;
    float *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc data copy(a[:n])
    {
        twice(n, a);
        twice(n, a);
    }
    for (int i = 0; i < n; i++)
        check_near("a", i, a[i], 4.0f * i, 0.0);
    free(a);
    return finish();
}
