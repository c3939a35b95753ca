// A global of a declare directive stays on the device when the runtime's routines and exit data lower counts that nothing raised
// (OpenACC 3.3 section 2.13.2).
// expect: launches=0 uploads=1 downloads=0
// needs: separate
#include "check.h"
#include <openacc.h>

static float g;
#pragma acc declare create(g)

int main(void)
{
    check_int("at first", 0, acc_is_present(&g, sizeof g), 1);
    g = 5;
#pragma acc update device(g)
    g = 6;
    acc_copyout(&g, sizeof g);
    check_int("after copyout", 0, acc_is_present(&g, sizeof g), 1);
    acc_copyin(&g, sizeof g);
    acc_copyout_finalize(&g, sizeof g);
    check_int("after finalize", 0, acc_is_present(&g, sizeof g), 1);
#pragma acc exit data delete(g) finalize
    check_int("after exit data", 0, acc_is_present(&g, sizeof g), 1);
    check_near("the host's", 0, g, 6, 0);
    return finish();
}
