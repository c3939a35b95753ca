// acc_deviceptr and acc_hostptr are each other's inverse, with offsets kept; NULL where there is
// nothing.
// needs: runtime
// needs: separate
// expect: launches=1 uploads=1 downloads=1
#include <openacc.h>
#include "check.h"

#define N 64

static void fill(double *on_device, int n)
{
#pragma acc parallel loop deviceptr(on_device)
    for (int i = 0; i < n; i++)
        on_device[i] = i + 0.5;
}

int main(void)
{
    static double a[N], b[N];
#pragma acc data copy(a)
    {
        double *d = acc_deviceptr(a);
        check_true("an address", d != NULL);
        check_true("the offset is kept", acc_deviceptr(a + 10) == d + 10);
        check_true("back again", acc_hostptr(d) == a);
        check_true("back again with an offset", acc_hostptr(d + 7) == a + 7);
        check_true("none for what is absent", acc_deviceptr(b) == NULL);
        fill(acc_deviceptr(a + 16), N - 16);
    }
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], i < 16 ? 0.0 : i - 16 + 0.5, 0.0);
    return finish();
}
