// `delete` of a pointer without a section deletes what it points to.
// expect: launches=1 uploads=2 downloads=0
// needs: runtime separate
#include "check.h"
#include <openacc.h>
#include <stdlib.h>

static void leave(double *p)
{
#pragma acc exit data delete(p)
}

int main(void)
{
    int n = 20;
    double *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int round = 0; round < 2; round++) {
#pragma acc enter data copyin(p[0:n])
        check_true("present after enter", acc_is_present(p, n * sizeof *p));
        if (round == 1) {
#pragma acc parallel loop present(p[0:n])
            for (int i = 0; i < n; i++)
                p[i] = -1;
        }
        leave(p);
        check_true("absent after exit", !acc_is_present(p, n * sizeof *p));
        leave(p);
    }
    double *nothing = NULL;
    leave(nothing);
    for (int i = 0; i < n; i++)
        check_near("p", i, p[i], i, 0);
    return finish();
}
