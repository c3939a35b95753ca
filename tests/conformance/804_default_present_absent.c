// default(present) with an array that is not: the message names the array though no clause does.
// needs: separate
// expect-exit: nonzero
// expect-stderr: \btable\b
// expect-stderr: 804_default_present_absent\.c:18
// expect: launches=0
#include "check.h"

#define N 30

static int table[N], other[N];

int main(void)
{
#pragma acc data copy(other)
    {

#pragma acc parallel loop default(present)
        for (int i = 0; i < N; i++)
            other[i] = table[i];
    }
    return finish();
}
