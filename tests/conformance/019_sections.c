// Array sections: lower bound not zero, no lower bound, bounds from expressions, only a part moved.
// expect: launches=3 uploads=3 downloads=3
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 300, low = 41, length = 130;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop copy(a[low:length])
    for (int i = low; i < low + length; i++)
        a[i] += 1000;
#pragma acc parallel loop copy(a[:low])
    for (int i = 0; i < low; i++)
        a[i] += 2000;
#pragma acc parallel loop copy(a[low + length:n - (low + length)])
    for (int i = low + length; i < n; i++)
        a[i] += 3000;
    for (int i = 0; i < n; i++)
        check_int("a", i, a[i], i + (i < low ? 2000 : i < low + length ? 1000 : 3000));
    free(a);
    return finish();
}
