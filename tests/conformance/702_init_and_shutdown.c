// acc_init before the first construct, acc_shutdown at the end, and a construct after that, which
// starts the device again; the init and shutdown directives.
// needs: runtime
// gcc: rejects, init and shutdown as directives
// expect: launches=3 uploads=3 downloads=3
#include <openacc.h>
#include "check.h"

#define N 33

static int a[N];

static void add(int value)
{
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++)
        a[i] += value;
}

int main(void)
{
    acc_device_t type = acc_get_device_type();
    acc_init(type);
    add(1);
    acc_shutdown(type);
    add(10);
#pragma acc init
    add(100);
#pragma acc shutdown
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 111);
    return finish();
}
