// expect: launches=1
// The sum over an iteration's row, which lanes share, in a variable whose address functions are given.
#include "check.h"

#pragma acc routine seq
static void add(double *sum, double more)
{
    *sum += more;
}

int main(void)
{
    enum { n = 60, m = 50 };
    static double x[n * m], y[n], z[n];
    static int length[n];
    for (int i = 0; i < n; i++) length[i] = i % m;
    for (int i = 0; i < n * m; i++) x[i] = i % 17;
#pragma acc parallel loop copyin(x, length) copyout(y, z)
    for (int i = 0; i < n; i++) {
        double sum = 1, product = i;
        for (int k = 0; k < length[i]; k++) sum += x[i * m + k];
        add(&sum, 2);
        y[i] = sum;
        for (int k = 0; k < length[i]; k++) {
            product += sum * x[i * m + k];
            sum += x[i * m + k];
        }
        add(&product, sum);
        z[i] = product;
    }
    for (int i = 0; i < n; i++) {
        double sum = 3, product = i;
        for (int k = 0; k < length[i]; k++) sum += x[i * m + k];
        check_near("y", i, y[i], sum, 0);
        for (int k = 0; k < length[i]; k++) {
            product += sum * x[i * m + k];
            sum += x[i * m + k];
        }
        check_near("z", i, z[i], product + sum, 1e-9);
    }
    return finish();
}
