#include <openacc.h>
#include <stdio.h>

int main(void)
{
    double a[4] = {1, 2, 3, 4};
    acc_copyin(a, sizeof a);
    a[2] = 0;
    acc_copyout(a, sizeof a);
#ifdef _OPENACC
    printf("%d\n", _OPENACC);
#endif
    return acc_get_num_devices(acc_device_host) < 1 || a[2] != 3;
}
