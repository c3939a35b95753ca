#include <math.h>
#include <openacc.h>

int main(void)
{
    double a[64];
    for (int i = 0; i < 64; i++)
        a[i] = i * i;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 64; i++)
        a[i] = sqrt(a[i]);
    return a[63] != 63.0 || acc_get_num_devices(acc_get_device_type()) < 1;
}
