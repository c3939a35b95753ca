// Regions behind `#pragma cuda cpurun` and `nogpurun` stay with the host's threads, by whatever lines they are parted from it;
// other directives of OpenMPC change nothing.
// expect: launches=2
#include "../check.h"

#define N 1000

static int a[N], b[N], c[N], d[N];

int main(void)
{
    int i;
#pragma cuda cpurun
#pragma omp parallel for
    for (i = 0; i < N; i++)
        a[i] = i;
#pragma cuda ainfo kernelid(1) procname(main)
#pragma cuda nogpurun

    /* a comment */
#pragma omp parallel
    {
#pragma omp for
        for (i = 0; i < N; i++)
            b[i] = 2 * i;
    }
#pragma cuda gpurun noreductionunroll(s)
#pragma omp parallel for
    for (i = 0; i < N; i++)
        c[i] = a[i] + b[i];
#pragma omp parallel for
    for (i = 0; i < N; i++)
        d[i] = 2 * c[i];
    for (i = 0; i < N; i++)
        check_int("d", i, d[i], 6 * i);
    return finish();
}
