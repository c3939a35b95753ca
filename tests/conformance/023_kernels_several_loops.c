// One kernels region with several loops that depend on one another and scalar code between them.
// expect: launches>=1 uploads>=1 downloads>=2
#include "check.h"

#define N 350

int main(void)
{
    double a[N], b[N], c[N];
    for (int i = 0; i < N; i++)
        a[i] = 1.0 + i;
#pragma acc kernels copyin(a) copyout(b, c)
    {
        for (int i = 0; i < N; i++)
            b[i] = a[i] * 2.0;
        double pivot = b[N / 2];
        for (int i = 0; i < N; i++)
            c[i] = b[N - 1 - i] - pivot;
        c[3] = 99.0;
        for (int i = 0; i < N; i++)
            b[i] += c[i];
    }
    for (int i = 0; i < N; i++) {
        double pivot = 2.0 * (1.0 + N / 2);
        double want_c = i == 3 ? 99.0 : 2.0 * (N - i) - pivot;
        check_near("c", i, c[i], want_c, 1e-15);
        check_near("b", i, b[i], 2.0 * (1.0 + i) + want_c, 1e-15);
    }
    return finish();
}
