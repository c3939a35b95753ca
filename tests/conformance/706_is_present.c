// acc_is_present, before, in and after regions, for parts, and for more than is there.
// needs: runtime
// needs: separate
// expect: launches=0 uploads=0 downloads=0
#include <openacc.h>
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 100;
    float *a = malloc(n * sizeof *a);
    check_true("absent before", !acc_is_present(a, n * sizeof *a));
#pragma acc data create(a[20:50])
    {
        check_true("its part is present", acc_is_present(a + 20, 50 * sizeof *a));
        check_true("a piece of it is present", acc_is_present(a + 30, 10 * sizeof *a));
        check_true("before it is absent", !acc_is_present(a, 10 * sizeof *a));
        check_true("after it is absent", !acc_is_present(a + 70, sizeof *a));
        check_true("more than it is absent", !acc_is_present(a + 20, 51 * sizeof *a));
    }
    check_true("absent after", !acc_is_present(a + 20, sizeof *a));
#pragma acc enter data create(a[0:n])
#pragma acc enter data create(a[0:n])
#pragma acc exit data delete (a[0:n])
    check_true("present, for it was entered twice", acc_is_present(a, n * sizeof *a));
    acc_delete_finalize(a, n * sizeof *a);
    check_true("absent after finalize", !acc_is_present(a, n * sizeof *a));
    free(a);
    return finish();
}
