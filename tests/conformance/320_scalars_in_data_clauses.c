// Scalars in data clauses live in device memory: changed by one kernel, seen by the next, copied
// out at the end; update moves them in between.
// expect: launches=4 uploads=3 downloads=3
#include "check.h"

int main(void)
{
    int a = 1, b = 2, c = 0, d = 0;
#pragma acc data copy(a) copyin(b) copyout(c) create(d)
    {
#pragma acc serial present(a, b)
        a = a * 10 + b;
        d = 5;
#pragma acc update device(d)
#pragma acc serial present(a, d)
        a += d;
#pragma acc serial present(a, c)
        c = a + 1;
#pragma acc serial present(d)
        d = 77;
#pragma acc update self(d)
        check_int("d", 0, d, 77);
    }
    check_int("a", 0, a, 17);
    check_int("c", 0, c, 18);
    return finish();
}
