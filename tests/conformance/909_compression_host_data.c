// A compressed array has no address to give to host_data.
// expect-exit: nonzero
// expect-stderr: error.ACCL0808.: name=x is compressed on the device
// needs: runtime
#include "check.h"

enum { N = 100 };

static float x[N];

int main(void)
{
    int n = N;
#pragma acc data ccopyin(x[0:n])
    {
#pragma acc host_data use_device(x)
        printf("%p\n", (void *)x);
    }
    return finish();
}
