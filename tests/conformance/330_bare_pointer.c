// A pointer without a section in a present clause means the array it points to, as users write it,
// not the pointer variable.
// expect: launches=2 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static void add(int n, float *a)
{
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
        a[i] += 1.0f;
}

int main(void)
{
    int n = 75;
    float *a = calloc(n, sizeof *a);
#pragma acc data copy(a[0:n])
    {
        add(n, a);
        add(n - 10, a + 10);
    }
    for (int i = 0; i < n; i++)
        check_near("a", i, a[i], i < 10 ? 1.0 : 2.0, 0.0);
    free(a);
    return finish();
}
