// -gpu=autodata: between launches the host reads one element, and writes a boundary: only these pages travel.
// flags: -gpu=autodata
// needs: runtime
// expect: launches=20 uploads=11 downloads=20
#include "check.h"
#include <stdlib.h>

int main(void)
{
    // Each row is two pages of four kilobytes; the array begins with a page.
    long n = 256, m = 1024;
    double *a = malloc(n * m * sizeof *a), trace = 0;
    for (long i = 0; i < n * m; i++)
        a[i] = 1;
    for (int step = 1; step <= 10; step++) {
#pragma acc parallel loop collapse(2)
        for (long i = 1; i < n; i++)
            for (long j = 0; j < m; j++)
                a[i * m + j] += i;
        // One page comes, which the device still has.
        trace += a[100 * m + 3];
        // One page goes, and is read first since the next loop writes it.
        for (long j = 0; j < m / 2; j++)
            a[j] = step;
#pragma acc parallel loop
        for (long j = 0; j < m / 2; j++)
            a[j] += a[m + j];
    }
    check_near("trace", 0, trace, 10 + 100.0 * 55, 0);
    check_near("a", 7, a[7], 10 + 1 + 10, 0);
    free(a);
    return finish();
}
