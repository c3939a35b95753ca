// Reductions of short, unsigned char, char and bool variables, wrapping as the type does.
// expect: launches=4 uploads>=1
#include <stdbool.h>
#include "check.h"

#define N 700

int main(void)
{
    static short a[N];
    short sum = 1;
    unsigned char wrap = 250, bits = 0;
    bool every = true;
    for (int i = 0; i < N; i++)
        a[i] = (i * 19) % 83 - 20;
#pragma acc data copyin(a)
    {
#pragma acc parallel loop reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += a[i];
#pragma acc parallel loop reduction(+ : wrap)
        for (int i = 0; i < N; i++)
            wrap += (unsigned char)a[i];
#pragma acc parallel loop reduction(^ : bits)
        for (int i = 0; i < N; i++)
            bits ^= (unsigned char)a[i];
#pragma acc parallel loop reduction(&& : every)
        for (int i = 0; i < N; i++)
            every = every && a[i] > -21;
    }
    int want_sum = 1, want_wrap = 250, want_bits = 0;
    for (int i = 0; i < N; i++) {
        want_sum += a[i];
        want_wrap = (want_wrap + a[i]) & 255;
        want_bits ^= a[i] & 255;
    }
    check_int("sum", 0, sum, want_sum);
    check_int("wrap", 0, wrap, want_wrap);
    check_int("bits", 0, bits, want_bits);
    check_int("every", 0, every, 1);
    return finish();
}
