// A construct that the host runs has its own copies of private and firstprivate variables there as well (OpenMP 5.2 §5.1.1, §13.8).
// expect: launches=0
#include "../check.h"

struct Pair {
    int a, b;
};

int main()
{
    int x = 5, y = 3, z = 1, sum = 0, only_written = 8, limit = 5;
    int a[4] = {0}, t[3] = {1, 2, 3};
    long d = 0;
    Pair p = {1, 2};
#pragma omp target if (0) map(from: a) private(z) firstprivate(p, t)
    {
        x = x + 1;
        z = 9;
        p.a = 7;
        t[1] = 9;
        only_written = 4;
        a[0] = x;
        a[1] = t[0] + t[1] + p.a + p.b;
    }
    check_int("a[0]", 0, a[0], 6);
    check_int("a[1]", 1, a[1], 19);
#pragma omp target map(tofrom: a) if (sum > limit)
#pragma omp teams distribute parallel for firstprivate(y) private(d) reduction(+ : sum)
    for (int i = 0; i < 4; i++) {
        y += i;
        d = y;
        a[i] += 1;
        sum += i;
    }
    check_int("implicit", 0, x, 5);
    check_int("written only", 0, only_written, 8);
    check_int("firstprivate", 0, y, 3);
    check_int("private", 0, z, 1);
    check_int("private of a loop", 0, d, 0);
    check_int("a structure", 0, p.a, 1);
    check_int("an array", 1, t[1], 2);
    check_int("mapped", 0, a[0], 7);
    return finish();
}
