// The example of docs/guide-compression.md.
// expect: launches=2 uploads=2 downloads=1
#include "check.h"
#include <stdlib.h>

/* Two compressed inputs, one compressed result: a quarter of the memory traffic of three arrays of double. */
static void blend(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc data ccopyin(bits(16): a[0:n], b[0:n:0:10]) ccopyout(bits(16): c[0:n:-20:20])
    {
#pragma acc parallel loop compression(a, b, c)
        for (int i = 0; i < n; i++)
            c[i] = a[i] + b[i];
#pragma acc parallel loop compression(b, c)
        for (int i = 0; i < n; i++)
            c[i] -= 0.5 * b[i];
    }
}

int main(void)
{
    int n = 100000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    for (int i = 0; i < n; i++) {
        a[i] = i % 17 - 8;
        b[i] = i % 11;
    }
    blend(n, a, b, c);
    for (int i = 0; i < n; i++)
        check_near("c", i, c[i], a[i] + 0.5 * b[i], 1e-3);
    free(a);
    free(b);
    free(c);
    return finish();
}
