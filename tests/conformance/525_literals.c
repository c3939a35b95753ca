// Literals in every notation: hexadecimal, octal, suffixes, hexadecimal floats, characters, escapes,
// large and smallest values.
// expect: launches=1 downloads=2
#include <limits.h>
#include <stdint.h>
#include "check.h"

#define INTEGERS 14
#define REALS 8

int main(void)
{
    long long got[INTEGERS];
    double real[REALS];
#pragma acc parallel num_gangs(1) vector_length(1) copyout(got, real)
    {
        got[0] = 0x7fffffff;
        got[1] = 0xffffffff;
        got[2] = 0777;
        got[3] = 5000000000;
        got[4] = -2147483648;
        got[5] = INT_MIN;
        got[6] = (long long)ULLONG_MAX;
        got[7] = LLONG_MIN;
        got[8] = '\n' + '\\' + '\x41' + '\101' + '\0';
        got[9] = 1u - 2;
        got[10] = 1lu << 40;
        got[11] = INT64_C(1) << 62;
        got[12] = UINT8_MAX;
        got[13] = -1 < 0u;
        real[0] = 0x1.8p3;
        real[1] = 1e-300;
        real[2] = 3.0e38f;
        real[3] = .5;
        real[4] = 5.;
        real[5] = 1.17549435e-38f;
        real[6] = 0.1f;
        real[7] = 123456789012345678.0;
    }
    const long long want[INTEGERS] = {
        0x7fffffff, 0xffffffff, 511, 5000000000, -2147483648LL, INT_MIN, -1, LLONG_MIN,
        10 + 92 + 65 + 65, 4294967295LL, 1099511627776, 4611686018427387904, 255, 0};
    const double want_real[REALS] = {12.0, 1e-300, 3.0e38f, 0.5, 5.0, 1.17549435e-38f, 0.1f,
                                     123456789012345678.0};
    for (int i = 0; i < INTEGERS; i++)
        check_int("got", i, got[i], want[i]);
    for (int i = 0; i < REALS; i++)
        check_true("real is exact", real[i] == want_real[i]);
    return finish();
}
