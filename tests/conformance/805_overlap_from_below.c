// A section that begins before what is present and reaches into it; enter data notices, too.
// needs: separate
// expect-exit: nonzero
// expect-stderr: partial
// expect-stderr: 805_overlap_from_below\.c:15
// expect: launches=0
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int *a = calloc(200, sizeof *a);
#pragma acc enter data copyin(a[100:100])

#pragma acc enter data copyin(a[50:100])
    free(a);
    return finish();
}
