#include <openacc.h>

#ifdef __cplusplus
extern "C"
#endif
double sum(int n, const double *a);

int main(void)
{
    double a[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    return sum(100, a) != 4950.0 || acc_get_num_devices(acc_get_device_type()) < 1;
}
