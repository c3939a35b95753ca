// Unions that a kernel initialises: the first member, one that is named, inside structures and in compound literals.
// expect: launches=2
#include "check.h"

#define N 128

union word {
    int i;
    float f;
    unsigned char bytes[8];
};

struct entry {
    float r[3];
    union word u;
};

int main()
{
    static struct entry s[N];
    static int first[N], zero[N], literal[N];
#pragma acc parallel loop copyout(s, first, zero, literal)
    for (int i = 0; i < N; i++) {
        struct entry e = {.r = {[1] = i}, .u.i = 7 + i};
        s[i] = e;
        union word a = {i}, b = {.f = i}, c = {0};
        first[i] = a.i + (int)b.f;
        zero[i] = c.bytes[3] + c.bytes[7];
        literal[i] = ((union word){.f = 1.0f}).i;
    }
    for (int i = 0; i < N; i++) {
        check_near("array beside it", i, s[i].r[1], i, 0);
        check_int("named", i, s[i].u.i, 7 + i);
        check_int("first", i, first[i], 2 * i);
        check_int("zero", i, zero[i], 0);
        check_int("literal", i, literal[i], 0x3f800000);
    }
    union word shared = {.f = 2.0f};
#pragma acc serial copy(shared)
    {
        union word own = {.bytes = {1, 2, 3, 4}};
        shared.i += own.bytes[1];
    }
    check_int("mapped", 0, shared.i, 0x40000002);
    return finish();
}
