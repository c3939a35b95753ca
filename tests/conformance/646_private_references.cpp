// expect: launches>=2
// Private copies of references that the construct declares are copies of what they refer to, for the loop alone.

#include "check.h"

int main()
{
    static int r[64 * 64];
    int after[4] = {0};
#pragma acc parallel num_gangs(8) copyout(r)
    {
        int own;
        int &ref = own;
#pragma acc loop gang worker
        for (int i = 0; i < 64; i++) {
#pragma acc loop vector private(ref)
            for (int j = 0; j < 64; j++) {
                ref = i * 64 + j;
                r[i * 64 + j] = ref * 3;
            }
        }
    }
#pragma acc serial copyout(after)
    {
        int own = 5;
        int &ref = own;
#pragma acc loop private(ref)
        for (int i = 0; i < 3; i++) {
            ref = i;
            after[i] = ref;
        }
        after[3] = ref + own;
    }
    for (int i = 0; i < 64 * 64; i++)
        check_int("r", i, r[i], 3 * i);
    for (int i = 0; i < 3; i++)
        check_int("after", i, after[i], i);
    check_int("after", 3, after[3], 10);
    return finish();
}
