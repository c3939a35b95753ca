// Structures with bit-fields and unions.
#include "../check.h"

typedef struct {
    int n;
    union {
        int i;
        float f;
        double d;
    } u;
    unsigned bits : 5, more : 11;
    union {
        char c[3];
        short s;
    } v;
    float *x;
} Mixed;

int main(void)
{
    float x[50];
    Mixed s = {.n = 50, .u.f = 2.5f, .bits = 9, .more = 1000, .v.s = 7, .x = x};
    for (int i = 0; i < 50; i++)
        x[i] = i;
#pragma omp target teams distribute parallel for map(to: s) map(tofrom: s.x[0:s.n])
    for (int i = 0; i < s.n; i++)
        s.x[i] += s.u.f + s.bits + s.more + s.v.s;
    for (int i = 0; i < 50; i++)
        check_near("x", i, x[i], i + 1018.5, 1e-6);
#pragma omp target map(tofrom: s)
    {
        s.u.d = 1.25;
        s.bits++;
        s.v.c[2] = 'z';
    }
    check_near("d", 0, s.u.d, 1.25, 0);
    check_int("bits", 0, s.bits, 10);
    check_int("more", 0, s.more, 1000);
    check_int("c", 2, s.v.c[2], 'z');
    return finish();
}
