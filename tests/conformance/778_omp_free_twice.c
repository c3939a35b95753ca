// Memory is freed once, and for the device that it was allocated for.
// flags: -fopenmp
// needs: runtime
// expect: launches=1 uploads=0 downloads=1
// expect-exit: 1
// expect-stderr: error: 0x[0-9a-f]+ was not given out by omp_target_alloc for device 0, or was freed before
// expect-stderr: in a call of omp_target_free
#include <omp.h>
#include "check.h"

int main(void)
{
    const int device = 0, n = 12;
    int a[12] = {0}, *d = omp_target_alloc(n * sizeof *d, device);
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < n; i++)
        d[i] = i;
    omp_target_memcpy(a, d, sizeof a, 0, 0, omp_get_initial_device(), device);
    if (a[11] != 11)
        return 2;
    omp_target_free(d, device);
    omp_target_free(d, device);
    return 3;
}
