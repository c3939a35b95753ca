// parallel and loop as separate directives; the length is a variable.
// expect: launches=1 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

int main(int argc, char **argv)
{
    (void)argv;
    int n = 500 + argc;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel copy(a[0:n])
    {
#pragma acc loop
        for (int i = 0; i < n; i++)
            a[i] = a[i] * a[i] - 7;
    }
    for (int i = 0; i < n; i++)
        check_int("a", i, a[i], (long)i * i - 7);
    free(a);
    return finish();
}
