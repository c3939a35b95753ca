// Compressed arrays of every kind of width: read by one kernel, written by another, within the stated bound.
#ifndef BITS

#include "check.h"
#include <math.h>

enum { N = 1037 };

#define JOIN(A, B) A##_##B
#define NAMED(A, B) JOIN(A, B)
#define TYPE float
#define ROUNDING 1.2e-7
#define BITS 4
#include "902_compression_widths.c"
#define BITS 7
#include "902_compression_widths.c"
#define BITS 8
#include "902_compression_widths.c"
#define BITS 12
#include "902_compression_widths.c"
#define BITS 16
#include "902_compression_widths.c"
#define BITS 20
#include "902_compression_widths.c"
#define BITS 23
#include "902_compression_widths.c"
#undef TYPE
#undef ROUNDING
#define TYPE double
#define ROUNDING 2.3e-16
#define BITS 8
#include "902_compression_widths.c"
#define BITS 11
#include "902_compression_widths.c"
#define BITS 24
#include "902_compression_widths.c"
#define BITS 32
#include "902_compression_widths.c"
#define BITS 33
#include "902_compression_widths.c"
#define BITS 40
#include "902_compression_widths.c"
#define BITS 52
#include "902_compression_widths.c"

int main(void)
{
    double floats[] = {float_4(), float_7(), float_8(), float_12(), float_16(), float_20(), float_23()};
    double doubles[] = {double_8(), double_11(), double_24(), double_32(), double_33(), double_40(), double_52()};
    /* Each width is used as it is: a wider one is more exact. */
    for (int i = 1; i < 7; i++) {
        check_true("more bits, smaller error (float)", floats[i] < floats[i - 1]);
        check_true("more bits, smaller error (double)", doubles[i] < doubles[i - 1]);
    }
    return finish();
}

#else

static double NAMED(TYPE, BITS)(void)
{
    static TYPE a[N], b[N], plain[N];
    int n = N;
    double worst = 0;
    for (int i = 0; i < n; i++)
        a[i] = (TYPE)(3.0 * sin(i * 0.7));
#pragma acc parallel loop ccopyin(bits(BITS): a[0:n:-3:3]) copyout(plain[0:n])
    for (int i = 0; i < n; i++)
        plain[i] = a[i];
#pragma acc parallel loop copyin(a[0:n]) ccopyout(bits(BITS): b[0:n:-3:3])
    for (int i = 0; i < n; i++)
        b[i] = a[i];
    for (int i = 0; i < n; i++) {
        /* Encoded by the host and decoded by the device, or the other way round: the same bits. */
        check_true("host and device agree", b[i] == plain[i]);
        worst = fmax(worst, fabs((double)b[i] - (double)a[i]));
    }
    /* Half of an interval, and the rounding of the arithmetic. */
    check_near("worst error", BITS, worst, 0, 3.0 / (double)(1ull << BITS) + 6.0 * ROUNDING);
    return worst;
}

#undef BITS
#endif
