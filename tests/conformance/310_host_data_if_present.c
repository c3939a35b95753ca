// host_data: outside, the name is the host's; if_present and if(0) leave the host's address.
// expect: launches=0 uploads=1 downloads=0
#include "check.h"

#define N 16

static int a[N], absent[N];

int main(void)
{
    int *inside = 0, *conditional = 0, *not_there = 0;
#pragma acc data copyin(a)
    {
#pragma acc host_data use_device(a)
        inside = a;
#pragma acc host_data use_device(a) if (N < 3)
        conditional = a;
#pragma acc host_data use_device(absent) if_present
        not_there = absent;
        check_true("a is the host's after the region", &a[0] == (int *)a);
    }
    check_true("a device address", inside != 0);
    check_true("if(0) gives the host's address", conditional == a);
    check_true("if_present gives the host's address", not_there == absent);
    return finish();
}
