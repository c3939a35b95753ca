// wait(devnum: d: queues), as a directive and as a clause: the queues of the device of this number.
// needs: runtime
// expect: launches=3 uploads=1 downloads=1
#include <openacc.h>
#include "check.h"

#define N 2000

int main(void)
{
    static int a[N];
    int device = acc_get_device_num(acc_get_device_type());
#pragma acc enter data copyin(a) async(1)
#pragma acc parallel loop present(a) async(1)
    for (int i = 0; i < N; i++)
        a[i] += i;
#pragma acc wait(devnum : device : queues : 1)
#pragma acc parallel loop present(a) async(2)
    for (int i = 0; i < N; i++)
        a[i] += 1;
#pragma acc parallel loop present(a) wait(devnum : device : 2) async(3)
    for (int i = 0; i < N; i++)
        a[i] *= 2;
#pragma acc exit data copyout(a) wait(devnum : device : 2, 3)
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 2 * (i + 1));
    return finish();
}
