// Counters declared outside of the construct that are read after a loop which the compiler itself may run in parallel.
// expect: launches=2
#include "check.h"

int main(void)
{
    int out[40], k, s;
    long l;
#pragma acc parallel loop copyout(out) private(s)
    for (int i = 0; i < 40; i++) {
        s = 0;
        for (k = 0; k < i % 6; k++)
            s ^= k;
        out[i] = s * 10 + k;
    }
    for (int i = 0; i < 40; i++) {
        int want = 0, q;
        for (q = 0; q < i % 6; q++)
            want ^= q;
        check_int("int", i, out[i], want * 10 + q);
    }
#pragma acc parallel loop copyout(out) private(s)
    for (int i = 0; i < 40; i++) {
        long n = i % 6;
        s = 0;
        for (l = 0; l < n; l++)
            s ^= l;
        out[i] = s * 10 + l;
    }
    for (int i = 0; i < 40; i++) {
        int want = 0, q;
        for (q = 0; q < i % 6; q++)
            want ^= q;
        check_int("long", i, out[i], want * 10 + q);
    }
    return finish();
}
