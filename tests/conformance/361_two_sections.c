// Two sections of an array in one data construct: a kernel whose subscripts lie between constants uses the one that they
// lie in, another says which.
// expect: launches=5 uploads=3 downloads=3
#include <stdlib.h>
#include "check.h"

#define N 1000

static int fixed[N];

int main(void)
{
    int *a = malloc(N * sizeof *a), n = 100, m = 600;
    for (int i = 0; i < N; i++)
        a[i] = fixed[i] = i;
#pragma acc data copy(a[0:100], a[600:200])
    {
#pragma acc parallel loop
        for (int i = 0; i < 100; i++)
            a[i] += 1000;
#pragma acc parallel loop
        for (int i = 700; i < 800; i++)
            a[i] += 2000;
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] *= 2;
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i < 100 ? 2 * (i + 1000) : i >= 700 && i < 800 ? i + 2000 : i);

    int *p = fixed;
#pragma acc data copyin(p[0:n]) copyout(p[m:n])
    {
#pragma acc parallel loop present(p[m:n])
        for (int i = 0; i < n; i++)
            p[m + i] = -i;
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            p[i] = 0;
    }
    for (int i = 0; i < N; i++)
        check_int("fixed", i, fixed[i], i >= m && i < m + n ? m - i : i);
    free(a);
    return finish();
}
