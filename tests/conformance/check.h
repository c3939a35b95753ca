/* How a conformance program compares: each difference prints one FAIL line, the first ten of them,
 * and `finish` prints PASS when there was none. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>

static int failures;

static inline int fail_once(void)
{
    return ++failures <= 10;
}

static inline void check_int(const char *what, long index, long long got, long long want)
{
    if (got != want && fail_once())
        printf("FAIL %s[%ld]: got %lld, want %lld\n", what, index, got, want);
}

/* Relative to `want`, or absolute where that is below 1. */
static inline void check_near(const char *what, long index, double got, double want, double tolerance)
{
    double scale = fabs(want) > 1.0 ? fabs(want) : 1.0;
    if (!(fabs(got - want) <= tolerance * scale) && fail_once())
        printf("FAIL %s[%ld]: got %.17g, want %.17g\n", what, index, got, want);
}

static inline void check_true(const char *what, int holds)
{
    if (!holds && fail_once())
        printf("FAIL %s does not hold\n", what);
}

static inline int finish(void)
{
    if (failures == 0)
        printf("PASS\n");
    else
        printf("FAIL %d differences\n", failures);
    return failures != 0;
}

#endif
