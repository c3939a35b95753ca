// ACC_DEVICE_NUM and ACC_PROFLIB are read; a library without the function is told of (4.2, 4.3). ACC_DEVICE_TYPE is the runner's.
// env: ACC_DEVICE_NUM=0
// env: ACC_PROFLIB=libm.so.6
// expect-stderr: the library libm.so.6 of ACC_PROFLIB cannot be used
// needs: runtime
#include "check.h"
#include <openacc.h>

int main(void)
{
    int on_device = 0;
#pragma acc serial copyout(on_device)
    on_device = acc_on_device(acc_device_not_host);
    check_int("on_device", 0, on_device, 1);
    check_int("number", 0, acc_get_device_num(acc_get_device_type()), 0);
    return finish();
}
