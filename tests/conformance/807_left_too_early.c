// exit data before the last use: the next present clause fails, not the kernel.
// needs: separate
// expect-exit: nonzero
// expect-stderr: \bfield\b
// expect-stderr: 807_left_too_early\.c:15
// expect: launches=1 uploads=1
#include <stdlib.h>
#include "check.h"

static double *field;

static void step(int n)
{

#pragma acc parallel loop present(field[0:n])
    for (int i = 0; i < n; i++)
        field[i] += 1.0;
}

int main(void)
{
    int n = 48;
    field = calloc(n, sizeof *field);
#pragma acc enter data copyin(field[0:n])
    step(n);
#pragma acc exit data delete (field[0:n])
    step(n);
    free(field);
    return finish();
}
