// expect: launches=2
// A loop that deals its iterations to numbered gangs and changes a scalar that no clause names: each gang has its own
// (OpenACC 3.3, 2.6.2), which all of its iterations see.

#include "check.h"

#define N 32

int main(void)
{
    int val = 2, ok = 1, a[N], b[2 * N];

#pragma acc parallel num_gangs(32) copy(ok) copyout(a)
    {
#pragma acc loop gang(static : 1)
        for (unsigned i = 0; i < N; i++) {
            if (val != 2)
                ok = 0;
            val += i;
            a[i] = val;
        }
    }
#pragma acc parallel num_gangs(8) copyout(b)
    {
#pragma acc loop gang(static : 2)
        for (int i = 0; i < 2 * N; i++) {
            val++;
            b[i] = val;
        }
    }
    check_int("ok", 0, ok, 1);
    check_int("val", 0, val, 2);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 2 + i);
    for (int i = 0; i < 2 * N; i++)
        check_int("b", i, b[i], 2 + i / 16 * 2 + i % 2 + 1);
    return finish();
}
