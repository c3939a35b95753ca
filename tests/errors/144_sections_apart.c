// run
// env: ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate
// The program knows where one of the sections lies, so the runtime cannot move it to the other.
#include <openacc.h>
static int a[200];
int main(void)
{
#pragma acc enter data copyin(a[0:100])
#pragma acc enter data copyin(a[100:100])
    int *first = acc_deviceptr(a);
#pragma acc parallel loop default(present) deviceptr(first)
    for (int i = 0; i < 100; i++)
        first[i] += 1;
    int *p = a;
#pragma acc parallel loop present(p)
    for (int i = 0; i < 100; i++)
        p[100 + i] = p[i];
    return 0;
}
