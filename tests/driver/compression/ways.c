#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bits of what comes back of an array that the device encoded, or the host. */
static unsigned long long of_floats(int n, float *x)
{
    unsigned long long sum = 0;
    for (int i = 0; i < n; i++) {
        unsigned bits;
        memcpy(&bits, &x[i], sizeof bits);
        sum = sum * 31 + bits;
    }
    return sum;
}

static unsigned long long of_doubles(int n, double *x)
{
    unsigned long long sum = 0;
    for (int i = 0; i < n; i++) {
        unsigned long long bits;
        memcpy(&bits, &x[i], sizeof bits);
        sum = sum * 31 + bits;
    }
    return sum;
}

int main(void)
{
    int n = 100003;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c), *f = malloc(n * sizeof *f);
    double *d = malloc(n * sizeof *d), *e = malloc(n * sizeof *e);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = c[i] = d[i] = e[i] = f[i] = sin(i) * (i % 11 == 0 ? 1.5 : 1);
#pragma acc data ccopyin(bits(8), scheme(affine): a[0:n:-1:1]) ccopyin(bits(23): b[0:n]) ccopyin(bits(5): c[0:n:-1:1]) \
    ccopyin(bits(51): d[0:n]) ccopyin(bits(13): e[0:n:-1:1]) ccopyin(bits(12), scheme(block): f[0:n])
    {
#pragma acc update self(a[0:n], b[3:n - 5], c[0:n], d[1:n - 1], e[7:n - 7], f[0:n])
    }
    printf("%llx %llx %llx ", of_floats(n, a), of_floats(n, b), of_floats(n, c));
    printf("%llx %llx %llx\n", of_doubles(n, d), of_doubles(n, e), of_floats(n, f));
    return 0;
}
