// -gpu=autodata: data clauses and directives for the same arrays come first, before and after constructs without them.
// flags: -gpu=autodata
// needs: separate
// needs: runtime
#include "check.h"
#include <openacc.h>
#include <stdlib.h>

static void add(double *a, int n, double by)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        a[i] += by;
}

int main(void)
{
    int n = 12345;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    add(a, n, 1);
#pragma acc data copy(a[0:n])
    {
        add(a, n, 1);
        add(a, n, 1);
    }
    add(a, n, 1);
    check_near("a", 9, a[9], 13, 0);
    add(a, n, 1);
    // The device's own copy of the middle, which goes nowhere.
#pragma acc data copyin(a[100:1000])
    {
        add(a + 100, 1000, 50);
        check_near("not yet", 100, a[100], 105, 0);
    }
    for (int i = 0; i < n; i++)
        check_near("a", i, a[i], i + 5, 0);
    add(a, n, 1);
#pragma acc enter data copyin(a[0:n])
    add(a, n, 1);
    check_near("stale", 5, a[5], 11, 0);
    check_true("present", acc_is_present(a, n * sizeof *a));
#pragma acc update self(a[0:10])
    check_near("update", 5, a[5], 12, 0);
    a[5] = 0;
#pragma acc update device(a[5:1])
    add(a, n, 1);
#pragma acc exit data copyout(a[0:n])
    for (int i = 0; i < n; i++)
        check_near("a", i, a[i], i == 5 ? 1 : i + 8, 0);
    add(a, n, 1);
    acc_copyin(a, n * sizeof *a);
    add(a, n, 1);
    acc_copyout(a, n * sizeof *a);
    check_near("routines", 6, a[6], 16, 0);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    add(a, n, 1);
    double *d = acc_malloc(n * sizeof *d);
    acc_memcpy_to_device(d, a, n * sizeof *d);
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < n; i++)
        a[i] += d[i];
    acc_free(d);
    check_near("in the end", 6, a[6], 66, 0);

    // A kernels construct whose sequential code the host runs.
#pragma acc kernels
    {
        for (int i = 0; i < n; i++)
            a[i] = i;
        a[3] = a[2] + a[1];
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }
    check_near("kernels", 3, a[3], 4, 0);
    check_near("kernels", 4, a[4], 5, 0);
    free(a);
    return finish();
}
