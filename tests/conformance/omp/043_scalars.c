// Scalars: firstprivate by rule, though they are changed; by map in every type; pointers to scalars; each arithmetic type.
// expect: launches=9
// needs: separate
#include "../check.h"
#include <stdbool.h>

enum colour { RED, GREEN, BLUE };

int main(void)
{
    char c = 1;
    short s = 2;
    unsigned u = 3;
    long long l = 4;
    float f = 5;
    double d = 6;
    bool b = true;
    enum colour e = GREEN;
    int *p = (int *)&u, set = 0, atomic = 0;
#pragma omp target
    {
        c++, s++, u++, l++, f++, d++, b = false, e = BLUE;
    }
    check_int("unchanged", 0, c + s + u + l, 10);
    check_near("unchanged", 1, f + d, 11, 0);
    check_int("unchanged", 2, b && e == GREEN, 1);
#pragma omp target map(tofrom: c, s, u, l, f, d, b, e)
    {
        c++, s++, u++, l++, f++, d++, b = false, e = BLUE;
    }
    check_int("changed", 0, c + s + u + l, 14);
    check_near("changed", 1, f + d, 13, 0);
    check_int("changed", 2, !b && e == BLUE, 1);
#pragma omp target map(from: set) map(to: c)
    {
        set = c;
        c = 100;
    }
    check_int("from", 0, set, 2);
    check_int("to", 0, c, 2);
#pragma omp target map(tofrom: p[0:1])
    *p = 77;
    check_int("pointer", 0, u, 77);
    // Teams share a scalar that is mapped, and count in copies of one that is not.
#pragma omp target teams distribute parallel for map(tofrom: set)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        set += 1;
    }
    check_int("shared", 0, set, 102);
#pragma omp target teams distribute parallel for firstprivate(atomic)
    for (int i = 0; i < 100; i++)
        atomic += i;
    check_int("private", 0, atomic, 0);
#pragma omp target map(from: set)
    {
#pragma omp atomic
        atomic += 3;
        set = atomic;
    }
    check_int("atomic", 0, set, 3);
    check_int("atomic", 1, atomic, 0);
    // Though an enclosing construct maps it, a scalar that the inner one does not map is a copy of the host's.
#pragma omp target data map(tofrom: atomic)
    {
        atomic = 50;
#pragma omp target map(from: set)
        {
            atomic += 4;
            set = atomic;
        }
#pragma omp target map(tofrom: atomic)
        atomic += 6;
    }
    check_int("mapped", 0, atomic, 6);
    check_int("copied", 0, set, 54);
    return finish();
}
