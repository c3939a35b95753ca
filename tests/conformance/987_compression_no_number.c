// With --check, as all of these are compiled, NaN is refused where it is sent to a compressed array.
// expect-exit: nonzero
// expect-stderr: name=a holds no number \(NaN\) at \[1234\], which compressed elements cannot be
// expect-stderr: 987_compression_no_number\.c:15: data
#include <math.h>
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 5000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc data copyout(b[0:n]) \
    ccopyin(bits(20): a[100:n - 100:-5000:5000])
    {
#pragma acc parallel loop compression(bits(20): a)
        for (int i = 100; i < n; i++)
            b[i] = a[i];
        for (int i = 100; i < n; i++)
            check_near("numbers are held", i, b[i], a[i], 1e-2);
        a[1234] = NAN;
#pragma acc update device(a[1200:100])
    }
    free(a);
    free(b);
    return finish();
}
