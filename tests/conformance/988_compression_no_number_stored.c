// With --check a kernel of the cpu device that stores NaN to a compressed array ends the program.
// devices: cpu
// expect-exit: nonzero
// expect-stderr: 988_compression_no_number_stored\.c:20: b is given no number \(NaN\) at \[77\], which compressed elements cannot be
#include <math.h>
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 100;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i - 77;
    a[77] = INFINITY;
#pragma acc data copyin(a[0:n]) ccopyout(bits(12): b[0:n:-1:1])
    {
#pragma acc parallel loop compression(bits(12): b)
        for (int i = 0; i < n; i++)
            b[i] = i == 77 ? a[i] - a[77] : 0.5f;
    }
    free(a);
    free(b);
    return finish();
}
