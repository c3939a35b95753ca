// expect: launches=35
// Packed widths whose threads share a room: whole blocks of iterations and the rest of one, read, written, updated,
// beside plain arrays and arrays of other widths, from an element in the array's middle on.
#ifndef BITS

#include "check.h"
#include <math.h>

enum { N = 3 * 8192 + 77 };

#define JOIN(A, B) A##_##B
#define NAMED(A, B) JOIN(A, B)
#define TYPE float
#define ROUNDING 1.2e-7
#define BITS 10
#include "919_compression_staged.c"
#define BITS 13
#include "919_compression_staged.c"
#define BITS 20
#include "919_compression_staged.c"
#undef TYPE
#undef ROUNDING
#define TYPE double
#define ROUNDING 2.3e-16
#define BITS 20
#include "919_compression_staged.c"
#define BITS 40
#include "919_compression_staged.c"
#define BITS 47
#include "919_compression_staged.c"
#define BITS 52
#include "919_compression_staged.c"

int main(void)
{
    float_10();
    float_13();
    float_20();
    double_20();
    double_40();
    double_47();
    double_52();
    return finish();
}

#else

static void NAMED(TYPE, BITS)(void)
{
    static TYPE a[N], b[N], c[N], plain[N], sixteen[N];
    int n = N;
    /* Half of an interval for each time that it is rounded. */
    const double half = 4.0 / (double)(1ull << BITS) + 8.0 * ROUNDING;
    for (int i = 0; i < n; i++) {
        a[i] = (TYPE)(3.0 * sin(i * 0.7));
        b[i] = (TYPE)cos(i * 0.3);
        c[i] = 1;
        plain[i] = (TYPE)(i % 11) / 11;
        sixteen[i] = (TYPE)(i % 7) / 7;
    }
    double sum = 0, sums = 0;
    static TYPE before[N], few[N];
    for (int i = 0; i < n; i++)
        before[i] = plain[i];
#pragma acc data ccopyin(bits(BITS): a[0:n:-4:4]) ccopyin(bits(16): sixteen[0:n:-4:4]) copyin(b[0:n]) \
    copy(plain[0:n]) ccopy(bits(BITS): c[0:n:-4:4]) ccopyout(bits(BITS): few[0:n:-4:4])
    {
        /* Each block has several rounds. */
#pragma acc parallel loop compression(a) reduction(+:sum)
        for (int i = 0; i < n; i++)
            sum += a[i] * b[i];
#pragma acc parallel loop compression(a, few) num_gangs(2)
        for (int i = 0; i < n; i++)
            few[i] = a[i] + b[i];
#pragma acc parallel loop compression(a, c)
        for (int i = 0; i < n; i++)
            c[i] = a[i] * b[i];
        /* Neither its own beginning nor a block's: the elements before and behind stay. */
#pragma acc parallel loop compression(c)
        for (int i = 128; i < n - 100; i++)
            c[i] += plain[i];
#pragma acc parallel loop compression(a, c, sixteen)
        for (int i = 0; i < n; i++) {
            plain[i] += c[i] - sixteen[i] + a[i];
            if (i % 3 == 0)
                c[i] = a[i];
        }
    }
    for (int i = 0; i < n; i++) {
        double product = (double)a[i] * b[i];
        sums += product;
        check_near("few", i, few[i], (double)a[i] + b[i], 6 * half);
        double want = product + (i >= 128 && i < n - 100 ? before[i] : 0);
        check_near("c", i, c[i], i % 3 == 0 ? a[i] : want, 6 * half);
        check_near("plain", i, plain[i], before[i] + want - sixteen[i] + a[i], 6 * half + 4.0 / (1 << 16));
    }
    check_near("sum", BITS, sum, sums, n * half);
}

#undef BITS
#endif
