// atomic read and atomic write: whole values, never halves of two.
// expect: launches=1 uploads>=2 downloads>=2
#include "check.h"

#define N 2000

int main(void)
{
    static double got[N];
    double shared = 0.0;
    int flag = 0;
#pragma acc parallel loop copy(shared, flag) copyout(got)
    for (int i = 0; i < N; i++) {
        double v;
#pragma acc atomic write
        shared = i * 1.0e10 + i;
#pragma acc atomic read
        v = shared;
        got[i] = v;
        if (v < 0.0) {
#pragma acc atomic write
            flag = 1;
        }
    }
    for (int i = 0; i < N; i++) {
        double which = floor(got[i] / 1.0e10 + 0.5);
        check_near("got", i, got[i], which * 1.0e10 + which, 0.0);
    }
    check_int("flag", 0, flag, 0);
    return finish();
}
