// Pointers under default(none): firstprivate and private name them, and what they point to is there; those of host_data move.
// expect: launches=3
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 100;
    float *a = malloc(n * sizeof(float)), *b = malloc(n * sizeof(float)), *p = a, *q = b, *d;
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc data copyin(a[0:n]) copyout(b[0:n])
    {
#pragma acc parallel loop default(none) firstprivate(p, q, n)
        for (int i = 0; i < n; i++)
            q[i] = p[i];
#pragma acc parallel loop default(none) firstprivate(p, n) present(b) private(d)
        for (int i = 0; i < n; i++) {
            d = b + i;
            p += i;
            *d += *p;
        }
#pragma acc host_data use_device(b)
        {
            float *dp = b;
#pragma acc parallel loop deviceptr(dp)
            for (int i = 0; i < n; i++) {
                dp += i;
                *dp += 1;
            }
        }
    }
    for (int i = 0; i < n; i++)
        check_near("b", i, b[i], 2 * i + 1, 0);
    return finish();
}
