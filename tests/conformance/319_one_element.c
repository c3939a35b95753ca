// Arrays of one element, scalars by address, and a pointer to a scalar.
// expect: launches=3 uploads=3 downloads=3
#include "check.h"

int main(void)
{
    double one[1] = {3.0}, x = 5.0, *p = &x;
    short tiny[1] = {7};
#pragma acc serial copy(one)
    one[0] *= 2.0;
#pragma acc serial copy(p[0:1])
    *p += 0.25;
#pragma acc parallel loop copy(tiny[0:1])
    for (int i = 0; i < 1; i++)
        tiny[i] = tiny[i] + 1;
    check_near("one", 0, one[0], 6.0, 0.0);
    check_near("x", 0, x, 5.25, 0.0);
    check_int("tiny", 0, tiny[0], 8);
    return finish();
}
