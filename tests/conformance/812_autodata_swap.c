// -gpu=autodata: pointers that are swapped each step; what is only read never comes back; an array that the host fills again is sent again.
// flags: -gpu=autodata
// needs: runtime
// expect: launches=30 uploads=4 downloads=2
#include "check.h"
#include <stdlib.h>

int main(void)
{
    int n = 20000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *weight = malloc(n * sizeof *weight);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 0;
        weight[i] = 1 + i % 3;
    }
    for (int round = 0; round < 2; round++) {
        for (int step = 0; step < 15; step++) {
#pragma acc parallel loop
            for (int i = 0; i < n; i++)
                b[(i + 1) % n] = a[i] + weight[i];
            double *t = a;
            a = b;
            b = t;
        }
        check_near("weight", 400, weight[4], round ? 0 : 2, 0);
        // The first page of a: element i has come from 15 or 30 elements before it.
        for (int i = 30; i < 512; i++) {
            double want = i - 15 * (round + 1);
            for (int k = 1; k <= 15; k++)
                want += 1 + (i - k - 15 * round) % 3;
            check_near("a", i, a[i], want, 0);
        }
        for (int i = 0; i < 512; i++)
            weight[i] = 0;
    }
    free(a);
    free(b);
    free(weight);
    return finish();
}
