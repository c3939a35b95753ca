// A scalar of a kernels construct that one loop reduces and another, run by one thread, adds to; and one that a loop
// behind the reduction reads.
// expect: launches=4
#include "check.h"

#define N 100

static double total(const double *restrict a, double *restrict b, double *mean)
{
    double sum = 0.25, all = 0.0;
#pragma acc kernels copyin(a[0:N]) copyout(b[0:N])
    {
        /* Half of b, each element written twice: in order. */
        for (int i = 0; i < N; i++) {
            b[i / 2] = a[i];
            sum += a[i] + b[i / 2];
        }
        for (int i = N - 1; i >= 0; i--)
            sum += a[i];
        for (int i = 0; i < N; i++)
            all += a[i];
        for (int i = N / 2; i < N; i++)
            b[i] = a[i] - all / N;
    }
    *mean = all / N;
    return sum;
}

int main(void)
{
    double a[N], b[N], mean = 0.0;
    for (int i = 0; i < N; i++)
        a[i] = i % 7;
    double sum = total(a, b, &mean), serial = 0.25, all = 0.0;
    for (int i = 0; i < N; i++) {
        serial += 3 * a[i];
        all += a[i];
    }
    check_near("sum", 0, sum, serial, 1e-13);
    check_near("mean", 0, mean, all / N, 1e-13);
    for (int i = 0; i < N; i++)
        check_near("b", i, b[i], i < N / 2 ? a[2 * i + 1] : a[i] - all / N, 1e-13);
    return finish();
}
