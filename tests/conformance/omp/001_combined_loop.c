// The combined construct, with data and with a reduction, and the simd form of it.
// expect: launches=2 uploads=3
#include "../check.h"
#include <stdlib.h>

static double twice(double x)
{
    return 2 * x;
}

int main(void)
{
    int n = 1003;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), sum = 0;
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 1;
    }
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: b[0:n])
    for (int i = 0; i < n; i++)
        b[i] += twice(a[i]);
#pragma omp target teams distribute parallel for simd reduction(+ : sum) map(to: a[:n])
    for (int i = 0; i < n; i++)
        sum += a[i];

    for (int i = 0; i < n; i++)
        check_near("b", i, b[i], 1 + 2.0 * i, 0);
    check_near("sum", 0, sum, n * (n - 1) / 2.0, 0);
    return finish();
}
