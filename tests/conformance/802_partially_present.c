// A data clause for more than what is present of the array: partly present is an error.
// needs: separate
// expect-exit: nonzero
// expect-stderr: \ba\b.*partial|partial.*\ba\b
// expect-stderr: 802_partially_present\.c:18
// expect: launches=0
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 100;
    double *a = calloc(n, sizeof *a);

#pragma acc data copyin(a[0:50])
    {

#pragma acc parallel loop copy(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] = i;
    }
    free(a);
    return finish();
}
