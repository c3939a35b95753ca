// Pointer arithmetic in kernels: *(p + i), walking pointers, differences, pointers to rows and to
// pointers of locals, comparison.
// expect: launches=1 uploads=1 downloads=2
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 93, m = 12;
    float *a = malloc(n * m * sizeof *a), *b = malloc(n * sizeof *b);
    int *where = malloc(n * sizeof *where);
    for (int i = 0; i < n * m; i++)
        a[i] = (i * 37) % 101;
#pragma acc parallel loop copyin(a[0:n * m]) copyout(b[0:n], where[0:n])
    for (int i = 0; i < n; i++) {
        const float *row = a + i * m, *end = row + m, *best = row;
        for (const float *p = row; p != end; ++p)
            if (*p > *best)
                best = p;
        float local[2] = {*best, row[0]};
        float *q = local;
        *(q + 1) += *q;
        q++;
        *(b + i) = q[0] + q[-1];
        where[i] = (int)(best - row);
    }
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int j = 0; j < m; j++)
            if (a[i * m + j] > a[i * m + best])
                best = j;
        check_int("where", i, where[i], best);
        check_near("b", i, b[i], 2 * a[i * m + best] + a[i * m], 0.0);
    }
    free(a);
    free(b);
    free(where);
    return finish();
}
