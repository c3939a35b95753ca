// acc_map_data puts memory of the program's own on the device in the present table.
// needs: runtime
// needs: separate
// expect: launches=2 uploads=0 downloads=1
#include <openacc.h>
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 95;
    long *a = calloc(n, sizeof *a);
    long *d = acc_malloc(n * sizeof *d);
    acc_map_data(a, d, n * sizeof *a);
    check_true("present", acc_is_present(a, n * sizeof *a));
    check_true("at that address", acc_deviceptr(a) == d);
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = 3L * i;
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }
#pragma acc update self(a[0:n])
    acc_unmap_data(a);
    check_true("absent", !acc_is_present(a, n * sizeof *a));
    acc_free(d);
    for (int i = 0; i < n; i++)
        check_int("a", i, a[i], 3L * i + 1);
    free(a);
    return finish();
}
