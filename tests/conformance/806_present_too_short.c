// A present clause for a longer section than is present.
// needs: separate
// expect-exit: nonzero
// expect-stderr: \ba\b
// expect-stderr: 806_present_too_short\.c:15
// expect: launches=0
#include <stdlib.h>
#include "check.h"

static void run(int n, int *a)
{
#pragma acc data create(a[0:n / 2])
    {

#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] = i;
    }
}

int main(void)
{
    int *a = calloc(64, sizeof *a);
    run(64, a);
    free(a);
    return finish();
}
