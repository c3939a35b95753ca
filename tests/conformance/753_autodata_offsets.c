// -gpu=autodata: pointers into the middle of an allocation, rows of one, negative subscripts, overlapping arguments, the end of one.
// flags: -gpu=autodata
// needs: runtime
#include "check.h"
#include <stdlib.h>

static void shift(float *to, const float *from, int n)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}

int main(void)
{
    int n = 300, m = 701;
    float *a = malloc(n * m * sizeof *a), *end = a + n * m;
    int *back = malloc(n * m * sizeof *back);
    for (int i = 0; i < n * m; i++) {
        a[i] = i;
        back[i] = -i;
    }
    // Each row from the one above it.
    for (int r = 1; r < n; r++)
        shift(a + r * m, a + (r - 1) * m, m);
    for (int i = 0; i < n * m; i++)
        check_near("a", i, a[i], i % m + i / m, 0);
    float *middle = a + 100 * m;
#pragma acc parallel loop
    for (int i = 0; i < 100 * m; i++)
        middle[back[i]] = i;
    for (int i = 0; i < 100 * m; i++)
        check_near("negative", i, a[100 * m - i], i, 0);
    float *p = end, sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 1; i <= 10; i++)
        sum += p[-i];
    check_near("sum", 0, sum, 10.0 * (m + n - 2) - 45, 1e-6);
    // Both arguments in one object.
    shift(a + 5, a + n * m / 2, 1000);
    for (int i = 0; i < 1000; i++)
        check_near("one object", i, a[5 + i], a[n * m / 2 + i] + 1, 0);
    shift(a, a, 0);
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = back[0]; j < m; j++)
            a[i * m + j] = i - j;
    for (int i = 0; i < n; i++)
        check_near("rows", i, a[i * m + i], 0, 0);
    free(a);
    free(back);
    return finish();
}
