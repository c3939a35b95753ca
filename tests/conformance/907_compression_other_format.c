// A kernel that was compiled for plain data does not read a compressed array; both directives are named.
// expect-exit: nonzero
// expect-stderr: error.ACCL0806.: name=a is held compressed .range, 16 bits., but the construct was compiled for plain data
// expect-stderr: 907_compression_other_format.c:20: parallel loop .in plain.
// expect-stderr: compressed by: .*907_compression_other_format.c:30: data .in main.
// expect-stderr: help: add `compression.a.` to the construct
// needs: runtime
#include "check.h"

enum { N = 100 };

static float x[N], sum;

static void plain(float *a, int n)
{
    /* In another function nothing tells the compiler how the array is held. */
    sum = 0;
    float total = 0;

#pragma acc parallel loop present(a[0:n]) reduction(+:total)
    for (int i = 0; i < n; i++)
        total += a[i];
    sum = total;
}

int main(void)
{
    int n = N;

#pragma acc data ccopyin(x[0:n])
    plain(x, n);
    return finish();
}
