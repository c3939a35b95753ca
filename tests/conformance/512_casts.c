// Conversions between all kinds of numbers, explicit and implicit.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 150
#define FORMS 14

static void convert(double x, double *out)
{
    int i = x;
    unsigned char small = (unsigned char)(int)x;
    out[0] = (int)x;
    out[1] = (int)(float)x;
    out[2] = (long)(x * 1e9);
    out[3] = (float)x;
    out[4] = small;
    out[5] = (signed char)(i * 3);
    out[6] = (unsigned)i;
    out[7] = (short)(i * 1000);
    out[8] = (float)(i * 16777217L);
    out[9] = i / 2 + x / 2;
    out[10] = (double)i / 3;
    out[11] = (_Bool)x;
    out[12] = 'x' + (char)i;
    out[13] = (unsigned long)(unsigned)i >> 4;
}

int main(void)
{
    static double in[N], got[N][FORMS], want[FORMS];
    for (int i = 0; i < N; i++)
        in[i] = (i - 70) * 0.7;
#pragma acc parallel loop copyin(in) copyout(got)
    for (int k = 0; k < N; k++) {
        double x = in[k], *out = got[k];
        int i = x;
        unsigned char small = (unsigned char)(int)x;
        out[0] = (int)x;
        out[1] = (int)(float)x;
        out[2] = (long)(x * 1e9);
        out[3] = (float)x;
        out[4] = small;
        out[5] = (signed char)(i * 3);
        out[6] = (unsigned)i;
        out[7] = (short)(i * 1000);
        out[8] = (float)(i * 16777217L);
        out[9] = i / 2 + x / 2;
        out[10] = (double)i / 3;
        out[11] = (_Bool)x;
        out[12] = 'x' + (char)i;
        out[13] = (unsigned long)(unsigned)i >> 4;
    }
    for (int k = 0; k < N; k++) {
        convert(in[k], want);
        for (int f = 0; f < FORMS; f++)
            check_near("conversion", f, got[k][f], want[f], 1e-15);
    }
    return finish();
}
