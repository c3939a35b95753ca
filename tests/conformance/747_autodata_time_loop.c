// -gpu=autodata: arrays without data clauses are sent once, nothing moves in the time loop, and what the host reads in the end comes back.
// flags: -gpu=autodata
// needs: runtime
// expect: launches=40 uploads=2 downloads=1
#include "check.h"
#include <stdlib.h>

int main(void)
{
    int n = 40000;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    int *order = malloc(n * sizeof *order);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        order[i] = (i * 7 + 3) % n;
    }
    for (int step = 0; step < 20; step++) {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            b[order[i]] = a[i] + 1;
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] = b[order[i]];
    }
    // One page of a comes back; order is only read, and b was never the host's.
    check_near("a", 17, a[17], 17 + 20, 0);
    for (int i = 0; i < 1000; i++)
        check_near("a", i, a[i], i + 20, 0);
    check_int("order", 5, order[5], 38);
    free(a);
    free(b);
    free(order);
    return finish();
}
