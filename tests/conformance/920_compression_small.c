// Arrays that a GPU's cache holds plain: kernels have plain copies of them, whether they read or write them. Of one that is
// used as it is held each time, here in windows, the user is told.
// devices: cuda
// expect: launches=80 uploads=2 downloads=2
// expect-stderr: accl: warning: w gains nothing from compression
// expect-stderr: .*920_compression_small.c:35
#include "check.h"
#include <stdlib.h>

enum { N = 3000 };

static void add(int n, const float *restrict a, float *restrict c)
{
#pragma acc parallel loop compression(a, c) present(a[0:n], c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = 2 * a[i];
}

static void add_neighbours(int n, const float *restrict a, float *restrict w)
{
#pragma acc parallel loop vector_length(128) compression(w) present(a[0:n], w[0:n])
    for (int i = 1; i < n - 1; i++) {
#pragma acc fcw FETCH_ONLY(a[i:1:1])
        w[i] = a[i - 1] + a[i + 1];
    }
}

int main(void)
{
    int n = N;
    float *a = malloc(n * sizeof *a), *c = malloc(n * sizeof *c), *w = malloc(n * sizeof *w);
    float *plain = malloc(n * sizeof *plain);
    for (int i = 0; i < n; i++)
        a[i] = plain[i] = (float)(i % 64) / 64;
#pragma acc data ccopyin(a[0:n:-1:1]) ccopyout(c[0:n:-2:2], w[0:n:-2:2]) copyin(plain[0:n])
    {
        for (int step = 0; step < 40; step++) {
            add(n, a, c);
            add_neighbours(n, plain, w);
        }
    }
    for (int i = 0; i < n; i++)
        check_near("c", i, c[i], 2 * a[i], 3e-4);
    for (int i = 1; i < n - 1; i++)
        check_near("w", i, w[i], a[i - 1] + a[i + 1], 3e-4);
    free(a);
    free(c);
    free(w);
    free(plain);
    return finish();
}
