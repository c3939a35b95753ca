// A member of a structure is part of an aggregate: what a parallel or serial construct stores in it is seen outside, and a
// clause that names a structure inside another one covers its members (OpenACC 3.3 section 2.6.2).
// expect: launches=4
#include "check.h"

struct pair { int a, b; };
struct outer { int c; struct pair s; };

static void store(struct outer *o, int x)
{
#pragma acc parallel
    {
        o->c = x;
    }
}

int main(void)
{
    struct outer t = {1, {3, 4}};
#pragma acc enter data copyin(t.s)
#pragma acc serial present(t.s)
    {
        t.s.a += 5;
        t.s.b = t.s.a + 1;
    }
#pragma acc exit data copyout(t.s)
    check_int("a", 0, t.s.a, 8);
    check_int("b", 0, t.s.b, 9);

    store(&t, 7);
    check_int("implicit copy", 0, t.c, 7);

    t.c = 1;
#pragma acc data copy(t)
    {
        store(&t, 12);
        int seen = 0;
#pragma acc serial present(t) copyout(seen)
        seen = t.c;
        check_int("on the device", 0, seen, 12);
    }
    check_int("copied with the whole", 0, t.c, 12);
    return finish();
}
