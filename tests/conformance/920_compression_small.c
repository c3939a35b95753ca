// Arrays that a GPU's cache holds plain: one that is only read is read from a copy, of one that is written each time the
// user is told.
// devices: cuda
// expect: launches=40 uploads=1 downloads=1
// expect-stderr: accl: warning: c gains nothing from compression
// expect-stderr: .*920_compression_small.c:25
#include "check.h"
#include <stdlib.h>

enum { N = 300000 };

static void add(int n, const float *restrict a, float *restrict c)
{
#pragma acc parallel loop compression(a, c) present(a[0:n], c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = 2 * a[i];
}

int main(void)
{
    int n = N;
    float *a = malloc(n * sizeof *a), *c = malloc(n * sizeof *c);
    for (int i = 0; i < n; i++)
        a[i] = (float)(i % 64) / 64;
#pragma acc data ccopyin(a[0:n:-1:1]) ccopyout(c[0:n:-2:2])
    {
        for (int step = 0; step < 40; step++)
            add(n, a, c);
    }
    for (int i = 0; i < n; i++)
        check_near("c", i, c[i], 2 * a[i], 3e-4);
    free(a);
    free(c);
    return finish();
}
