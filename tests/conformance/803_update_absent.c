// update of an array that is not present, without if_present.
// needs: separate
// expect-exit: nonzero
// expect-stderr: \bvalues\b
// expect-stderr: 803_update_absent\.c:14
// expect: launches=0 uploads=0 downloads=0
#include "check.h"

static int values[10];

int main(void)
{

#pragma acc update self(values)
    return finish();
}
