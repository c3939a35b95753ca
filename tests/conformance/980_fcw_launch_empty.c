// A window that holds no element at launch ends the program.
// expect-exit: nonzero
// expect-stderr: the window of a holds no element: 1 before its pivot, -2 after it
#include <stdlib.h>
#include "check.h"

int main(int argc, char **argv)
{
    (void)argv;
    int n = 1000, after = -2 * argc;
    float *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
#pragma acc parallel loop vector(128) copyin(b[:n]) copy(a[:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_WB(a[i:0:0]) FETCH_CHANNEL(a[i:1:after])
        a[i] += b[i];
    }
    free(a);
    free(b);
    return finish();
}
