// scheme(block): an exponent for each 32 numbers. Reads decode, whatever the width; each group keeps its own precision.
// expect: launches=16 uploads=16 downloads=16
#include "check.h"
#include <math.h>
#include <stdlib.h>

enum { N = 5003 };

static float f[N], f_out[N];
static double d[N], d_out[N];

/* The largest magnitude of the group of element i, by which its error is bounded. */
static double largest(int i)
{
    double most = 0;
    for (int k = i / 32 * 32; k < N && k < i / 32 * 32 + 32; k++)
        most = fmax(most, fabs(d[k]));
    return most;
}

static void compare(const char *what, int bits, int is_double)
{
    for (int i = 0; i < N; i++) {
        double got = is_double ? d_out[i] : f_out[i], want = is_double ? d[i] : f[i];
        double bound = ldexp(largest(i), 1 - bits) * (1 + 1e-6);
        if (!(fabs(got - want) <= bound) && fail_once())
            printf("FAIL %s, %d bits, element %d: %g for %g, bound %g\n", what, bits, i, got, want, bound);
    }
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

#define THROUGH(BITS)                                                                                                 \
    do {                                                                                                              \
        PRAGMA(acc parallel loop ccopyin(scheme(block), bits(BITS): f[0:n]) copyout(f_out[0:n]))                      \
        for (int i = 0; i < n; i++)                                                                                   \
            f_out[i] = f[i];                                                                                          \
        compare("float", BITS, 0);                                                                                    \
        PRAGMA(acc parallel loop ccopyin(scheme(block), bits(BITS): d[0:n]) copyout(d_out[0:n]))                      \
        for (int i = 0; i < n; i++)                                                                                   \
            d_out[i] = d[i];                                                                                          \
        compare("double", BITS, 1);                                                                                   \
    } while (0)

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++) {
        /* Twenty decades, one after the other. */
        d[i] = sin(i) * pow(10, i / 250 - 10);
        f[i] = (float)d[i];
    }
    THROUGH(4);
    THROUGH(8);
    THROUGH(12);
    THROUGH(16);
    THROUGH(20);
    THROUGH(23);
#pragma acc parallel loop ccopyin(scheme(block): d[0:n]) copyout(d_out[0:n])
    for (int i = 0; i < n; i++)
        d_out[i] = d[i];
    compare("double, the usual width", 32, 1);
#pragma acc parallel loop ccopyin(scheme(block), bits(52): d[0:n]) copyout(d_out[0:n])
    for (int i = 0; i < n; i++)
        d_out[i] = d[i];
    compare("double", 52, 1);
#pragma acc parallel loop ccopyin(scheme(block), error(rel: 1e-4): f[0:n]) copyout(f_out[0:n])
    for (int i = 0; i < n; i++)
        f_out[i] = f[i];
    compare("error(rel: 1e-4)", 15, 0);
    /* The elements of other orders and places: gathered, and in an array of rows. */
    static float rows[70][50], sums[70];
    for (int i = 0; i < 70; i++)
        for (int k = 0; k < 50; k++)
            rows[i][k] = (float)(i + k);
#pragma acc parallel loop ccopyin(scheme(block), bits(12): rows) copyout(sums)
    for (int i = 0; i < 70; i++) {
        float sum = 0;
        for (int k = 49; k >= 0; k--)
            sum += rows[i][k];
        sums[i] = sum;
    }
    for (int i = 0; i < 70; i++)
        check_near("sum of a row", i, sums[i], 50 * i + 49 * 25, 2e-2);
    return finish();
}
