// Transfers and kernels in a pipeline over blocks, two queues in turn.
// expect: launches=8 uploads=8 downloads=8
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 8 * 1024, block = 1024;
    float *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i % 100;
#pragma acc data create(a[0:n])
    {
        for (int b = 0; b < 8; b++) {
            int low = b * block, high = low + block;
#pragma acc update device(a[low:block]) async(b % 2)
#pragma acc parallel loop async(b % 2)
            for (int i = low; i < high; i++)
                a[i] = a[i] * a[i] + b;
#pragma acc update self(a[low:block]) async(b % 2)
        }
#pragma acc wait
    }
    for (int i = 0; i < n; i++)
        check_near("a", i, a[i], (i % 100) * (i % 100) + i / block, 1e-6);
    free(a);
    return finish();
}
