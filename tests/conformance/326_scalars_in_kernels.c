// kernels: a scalar written in the region without a clause comes back to the host.
// expect: launches>=1 uploads>=1 downloads>=1
#include "check.h"

#define N 200

int main(void)
{
    float a[N], first = 0.0f, factor = 3.0f;
    for (int i = 0; i < N; i++)
        a[i] = i + 1;
#pragma acc kernels copy(a)
    {
        first = a[0] + 0.5f;
        for (int i = 0; i < N; i++)
            a[i] = a[i] * factor + first;
    }
    check_near("first", 0, first, 1.5, 0.0);
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], 3.0f * (i + 1) + 1.5f, 1e-6);
    return finish();
}
