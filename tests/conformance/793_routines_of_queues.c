// acc_wait_any returns a queue that is done; acc_on_device knows each type of device, in constructs and routines (3.2.14, 3.2.20).
// needs: runtime
// gcc: rejects, acc_wait_any is new in OpenACC 3.3
#include "check.h"
#include <openacc.h>

#pragma acc routine seq
static int asks(acc_device_t type)
{
    return acc_on_device(type);
}

int main(void)
{
    int a[100], b[100], on[6], by_routine[2];
    int queues[3] = {5, 1, 2};
#pragma acc data copyout(a, b)
    {
#pragma acc parallel loop async(1)
        for (int i = 0; i < 100; i++)
            a[i] = i;
#pragma acc parallel loop async(2)
        for (int i = 0; i < 100; i++)
            b[i] = 2 * i;
        /* Nothing was ever put on queue 5. */
        check_int("wait_any", 0, acc_wait_any(3, queues), 0);
        int done = acc_wait_any(2, queues + 1);
        check_true("one of the two is done", done == 0 || done == 1);
        check_true("its test says so", acc_async_test(queues[1 + done]) != 0);
        done = acc_wait_any_device(2, queues + 1, acc_get_device_num(acc_device_current));
        check_true("one of the two is done", done == 0 || done == 1);
        check_true("of none", acc_wait_any(0, queues) < 0);
        acc_wait_all();
    }
    for (int i = 0; i < 100; i++) {
        check_int("a", i, a[i], i);
        check_int("b", i, b[i], 2 * i);
    }

#pragma acc serial copyout(on, by_routine)
    {
        on[0] = acc_on_device(acc_device_host);
        on[1] = acc_on_device(acc_device_none);
        on[2] = acc_on_device(acc_device_not_host);
        on[3] = acc_on_device(acc_device_nvidia);
        on[4] = acc_on_device(acc_device_opencl);
        on[5] = acc_on_device(acc_device_multicore);
        by_routine[0] = asks(acc_device_nvidia) + asks(acc_device_opencl) + asks(acc_device_multicore);
        by_routine[1] = asks(acc_device_radeon);
    }
    check_int("on", 0, on[0], 0);
    check_int("on", 1, on[1], 0);
    check_int("on", 2, on[2], 1);
    acc_device_t type = acc_get_device_type();
    check_int("on", 3, on[3], type == acc_device_nvidia);
    check_int("on", 4, on[4], type == acc_device_opencl);
    check_int("on", 5, on[5], type == acc_device_host);
    check_int("by_routine", 0, by_routine[0], 1);
    check_int("by_routine", 1, by_routine[1], 0);
    check_int("on the host", 0, acc_on_device(acc_device_host), 1);
    check_int("on the host", 1, acc_on_device(acc_device_not_host), 0);
    return finish();
}
