// Arrays that travel plain and are encoded and decoded by the device: sections that begin within words, several chunks,
// values outside of the range. The cpu device has no such way.
// env: ACCL_COMPRESS_ON=device
// expect: launches=2 uploads=7 downloads=9
// expect-stderr: accl: warning: 2 values of clamped lie outside of its range
#include "check.h"
#include <math.h>
#include <stdlib.h>

enum { N = 2500003 };

static double value(int i)
{
    return (i % 1000) / 500.0 - 1;
}

int main(void)
{
    float *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    double *c = malloc(N * sizeof *c), *d = malloc(N * sizeof *d);
    float clamped[77];
    for (int i = 0; i < N; i++)
        a[i] = b[i] = c[i] = d[i] = value(i);
    for (int i = 0; i < 77; i++)
        clamped[i] = value(i);
    clamped[3] = 7;
    clamped[76] = -7;
#pragma acc data ccopy(bits(16): a[0:N:-4:4]) ccopy(bits(12): b[0:N:-4:4]) ccopy(bits(20): c[0:N:-4:4]) \
    ccopy(bits(40): d[0:N:-4:4]) ccopy(bits(9): clamped[0:77:-1:1])
    {
#pragma acc parallel loop compression(a, b, c, d)
        for (int i = 0; i < N; i++) {
            a[i] += 1;
            b[i] += 1;
            c[i] += 1;
            d[i] += 1;
        }
#pragma acc update self(b[2097101:77], d[101:2097177])
        for (int i = 2097101; i < 2097101 + 77; i++) {
            check_near("part of b", i, b[i], value(i) + 1, 1e-2);
            check_near("part of d", i, d[i], value(i) + 1, 1e-9);
        }
        for (int i = 5; i < 1234; i++)
            b[i] = d[i] = 0.5;
#pragma acc update device(b[5:1229], d[5:1229])
#pragma acc update self(b[4:1231], d[4:1231])
        for (int i = 4; i < 4 + 1231; i++) {
            double wanted = i >= 5 && i < 1234 ? 0.5 : value(i) + 1;
            check_near("b of the host", i, b[i], wanted, 1e-2);
            check_near("d of the host", i, d[i], wanted, 1e-9);
        }
#pragma acc parallel loop compression(a, b)
        for (int i = 0; i < N; i++)
            a[i] += b[i];
    }
    for (int i = 0; i < N; i++) {
        double x = i >= 5 && i < 1234 ? 0.5 : value(i) + 1;
        check_near("a", i, a[i], value(i) + 1 + x, 1e-2);
        check_near("b", i, b[i], x, 1e-2);
        check_near("c", i, c[i], value(i) + 1, 1e-4);
        check_near("d", i, d[i], x, 1e-9);
    }
    for (int i = 0; i < 77; i++)
        check_near("clamped", i, clamped[i], i == 3 ? 1 : i == 76 ? -1 : value(i), 1e-2);
    free(a);
    free(b);
    free(c);
    free(d);
    return finish();
}
