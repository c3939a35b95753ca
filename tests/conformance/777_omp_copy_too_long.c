// A copy that would leave device memory at its end is refused before it is made.
// flags: -fopenmp
// needs: runtime
// expect: launches=1 uploads=0 downloads=0
// expect-exit: 1
// expect-stderr: error: 44 bytes from byte 8 on are beyond the end of device memory of 48 bytes, at 0x
// expect-stderr: in a call of omp_target_memcpy
#include <omp.h>
#include "check.h"

int main(void)
{
    const int device = omp_get_default_device(), n = 12;
    int a[16] = {0}, *d = omp_target_alloc(n * sizeof *d, device);
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < n; i++)
        d[i] = i;
    omp_target_memcpy(a, d, 44, 0, 8, omp_get_initial_device(), device);
    return finish();
}
