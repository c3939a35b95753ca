// Two disjoint pieces of one array are two entries in the present table; in a kernel, pointers to
// the two halves read and write.
// expect: launches=3 uploads=3 downloads=3
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 100;
    float *a = malloc(2 * n * sizeof *a);
    for (int i = 0; i < 2 * n; i++)
        a[i] = i;
    float *low = a, *high = a + n;
#pragma acc data copy(low[0:n]) copy(high[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            high[i] += low[i];
#pragma acc parallel loop present(low[0:n], high[0:n])
        for (int i = 0; i < n; i++)
            low[i] = high[n - 1 - i];
    }
    for (int i = 0; i < n; i++) {
        check_near("high", i, high[i], n + 2 * i, 0.0);
        check_near("low", i, low[i], n + 2 * (n - 1 - i), 0.0);
    }
    /* The pieces are gone: the whole array is mapped anew. */
#pragma acc parallel loop copy(a[0:2 * n])
    for (int i = 0; i < 2 * n; i++)
        a[i] = -i;
    for (int i = 0; i < 2 * n; i++)
        check_near("a", i, a[i], -i, 0.0);
    free(a);
    return finish();
}
