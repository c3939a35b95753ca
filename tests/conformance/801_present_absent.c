// A present clause for an array nobody mapped: the program stops and says which variable, which
// directive, and which clause to add.
// needs: separate
// expect-exit: nonzero
// expect-stderr: \ba\b
// expect-stderr: 801_present_absent\.c:17
// expect-stderr: copy(in)?\(a
// expect: launches=0
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 100;
    float *a = calloc(n, sizeof *a);

#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
    free(a);
    return finish();
}
