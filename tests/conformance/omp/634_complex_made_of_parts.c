// C11's CMPLX, by which programs make complex numbers.
// expect: launches=1
#include "../check.h"
#include <complex.h>

#define N 20

int main(void)
{
    double a[N];
    float b[N];
#pragma omp target teams distribute parallel for map(from: a, b)
    for (int i = 0; i < N; i++) {
        double complex z = CMPLX(i, 1.0);
        float complex w = CMPLXF(i, 2);
        z = z * z;
        a[i] = creal(z) + cimag(CMPLX(1, i));
        b[i] = crealf(w * w);
    }
    for (int i = 0; i < N; i++) {
        check_near("double", i, a[i], i * i - 1 + i, 1e-6);
        check_near("float", i, b[i], i * i - 4, 1e-6);
    }
    return finish();
}
