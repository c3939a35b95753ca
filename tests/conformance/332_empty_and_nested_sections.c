// Sections of length zero move nothing; a region over several arrays, one of them empty.
// expect: launches>=2 uploads=2 downloads=2
#include <stdlib.h>
#include "check.h"

static void run(int n, int extra, int *a, const int *b)
{
#pragma acc parallel loop copy(a[0:n]) copyin(b[0:extra])
    for (int i = 0; i < n; i++)
        a[i] += i < extra ? b[i] : 100;
}

int main(void)
{
    int n = 30;
    int *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
    run(n, 0, a, b);
    run(0, 0, a, b);
#pragma acc enter data copyin(a[5:0])
#pragma acc exit data delete (a[5:0])
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i]++;
    for (int i = 0; i < n; i++)
        check_int("a", i, a[i], 101);
    free(a);
    free(b);
    return finish();
}
