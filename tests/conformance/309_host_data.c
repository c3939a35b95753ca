// host_data use_device: the address of the device's copy, handed to a function that expects one.
// expect: launches=2 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static void library_call(int n, float *on_device)
{
#pragma acc parallel loop deviceptr(on_device)
    for (int i = 0; i < n; i++)
        on_device[i] += 0.5f;
}

int main(void)
{
    int n = 210;
    float *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc data copy(a[0:n])
    {
#pragma acc host_data use_device(a)
        {
            library_call(n, a);
        }
#pragma acc host_data use_device(a)
        library_call(n - 100, a + 100);
    }
    for (int i = 0; i < n; i++)
        check_near("a", i, a[i], i + (i < 100 ? 0.5 : 1.0), 0.0);
    free(a);
    return finish();
}
