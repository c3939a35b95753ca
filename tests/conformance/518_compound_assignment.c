// All compound assignments, with operands of other types than the target, and chains of assignments.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 140
#define FORMS 14

static void assign(int x, double *out)
{
    int i = x;
    unsigned u = x;
    short s = x;
    float f = x;
    unsigned char c = x;
    out[0] = i += 2.75;
    out[1] = i -= 7;
    out[2] = i *= 1.5f;
    out[3] = i /= 3;
    out[4] = i %= 13;
    out[5] = u <<= 3;
    out[6] = u >>= 2;
    out[7] = u &= 0xfff0;
    out[8] = u |= 5;
    out[9] = u ^= 0x33;
    out[10] = s += 40000;
    out[11] = f /= 7;
    out[12] = c *= 3;
    out[13] = i = s = c = 300 + x;
}

int main(void)
{
    static int in[N];
    static double got[N][FORMS], want[FORMS];
    for (int k = 0; k < N; k++)
        in[k] = k * 9 - 500;
#pragma acc parallel loop copyin(in) copyout(got)
    for (int k = 0; k < N; k++) {
        int x = in[k];
        int i = x;
        unsigned u = x;
        short s = x;
        float f = x;
        unsigned char c = x;
        double *out = got[k];
        out[0] = i += 2.75;
        out[1] = i -= 7;
        out[2] = i *= 1.5f;
        out[3] = i /= 3;
        out[4] = i %= 13;
        out[5] = u <<= 3;
        out[6] = u >>= 2;
        out[7] = u &= 0xfff0;
        out[8] = u |= 5;
        out[9] = u ^= 0x33;
        out[10] = s += 40000;
        out[11] = f /= 7;
        out[12] = c *= 3;
        out[13] = i = s = c = 300 + x;
    }
    for (int k = 0; k < N; k++) {
        assign(in[k], want);
        for (int f = 0; f < FORMS; f++)
            check_near("form", f, got[k][f], want[f], 1e-7);
    }
    return finish();
}
