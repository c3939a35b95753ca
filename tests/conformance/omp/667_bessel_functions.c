// Bessel functions of the C library.
// expect: launches=1
#define _DEFAULT_SOURCE
#include "../check.h"
#include <math.h>

#define N 300

int main(void)
{
    double first[N], second[N], orders[N];
    float single[N];
#pragma omp target teams distribute parallel for map(from : first, second, orders, single)
    for (int i = 0; i < N; i++) {
        double x = i * 0.37 + 0.01;
        first[i] = j0(x) + 2 * j1(-x);
        second[i] = y0(x) - y1(x);
        orders[i] = jn(i % 9, x) + jn(-3, x) + 1e-3 * yn(i % 4, x + 1);
        single[i] = j0f((float)x) + y1f((float)x);
    }
    for (int i = 0; i < N; i++) {
        double x = i * 0.37 + 0.01;
        check_near("first kind", i, first[i], j0(x) + 2 * j1(-x), 1e-12);
        check_near("second kind", i, second[i], y0(x) - y1(x), 1e-12 * (1 + fabs(y1(x))));
        check_near("orders", i, orders[i], jn(i % 9, x) + jn(-3, x) + 1e-3 * yn(i % 4, x + 1), 1e-12);
        check_near("single", i, single[i], j0f((float)x) + y1f((float)x), 1e-4 * (1 + fabs(y1(x))));
    }
    return finish();
}
