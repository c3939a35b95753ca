// scheme(block): two names of one array, of which a kernel writes one, are refused: the other would read what was before.
// expect-exit: nonzero
// expect-stderr: b and a are parts of one array, held in blocks and written
#include <stdlib.h>

int main(void)
{
    int n = 1000;
    float *a = malloc(n * sizeof *a), *b = a;
    for (int i = 0; i < n; i++)
        a[i] = (float)i;
#pragma acc data ccopy(scheme(block): a[0:n])
#pragma acc parallel loop compression(scheme(block): a, b) present(a[0:n], b[0:n])
    for (int i = 1; i < n; i++)
        a[i] = b[i - 1];
    free(a);
    return 0;
}
