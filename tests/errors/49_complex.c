#include <complex.h>
void square(int n, double complex *z, double *r)
{
#pragma acc parallel loop copy(z[0:n]) copyout(r[0:n])
    for (int i = 0; i < n; i++) {
        z[i] = z[i] * z[i];
        r[i] = cabs(z[i]);
    }
}
