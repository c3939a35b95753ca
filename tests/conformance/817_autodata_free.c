// -gpu=autodata: what is freed while it is on the device goes nowhere; objects come and go by the thousand; asynchronous kernels may still run.
// flags: -gpu=autodata
// needs: runtime
// expect: downloads=202
#include "check.h"
#include <stdlib.h>

int main(void)
{
    int n = 30000;
    for (int round = 0; round < 200; round++) {
        int m = n + 100 * (round % 7);
        int *a = malloc(m * sizeof *a), *b = malloc(m * sizeof *b);
#pragma acc parallel loop async(1)
        for (int i = 0; i < m; i++)
            a[i] = i + round;
#pragma acc parallel loop async(1)
        for (int i = 0; i < m; i++)
            b[i] = 2 * a[i];
        // The host waits by itself, for the one page that it reads.
        check_int("b", 11, b[11], 2 * (11 + round));
        free(a);
        free(b);
    }
    int *a = malloc(n * sizeof *a);
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop async(2) wait(1)
    for (int i = 0; i < n; i++)
        a[i] += 1;
    check_int("a", 3, a[3], 4);
    check_int("a", n - 1, a[n - 1], n);
    free(a);
    return finish();
}
