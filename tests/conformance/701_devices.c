// Which device: type, number of devices, current number, names and sizes; setting what is set.
// needs: runtime
// expect: launches=1 uploads=1 downloads=1
#include <openacc.h>
#include "check.h"

#define N 20

int main(void)
{
    int a[N] = {0};
    acc_device_t type = acc_get_device_type();
    check_true("a device type", type != acc_device_none);
    int count = acc_get_num_devices(type);
    check_true("a device of that type", count >= 1);
    int number = acc_get_device_num(type);
    check_true("a number below the count", number >= 0 && number < count);
    acc_set_device_type(type);
    acc_set_device_num(number, type);
    check_int("type after setting it", 0, acc_get_device_type(), type);
    check_int("number after setting it", 0, acc_get_device_num(type), number);
    check_true("the host is the host", acc_on_device(acc_device_host));
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i);
    return finish();
}
