// Functions that are not inlined make atomic updates through pointers to variables of the thread's own, and to shared ones.
// devices: cpu cuda
#include "../check.h"

#pragma omp declare target
static void add(int *p, float *f, char *c, unsigned long long *u, int n)
{
    if (n > 0)
        add(p, f, c, u, n - 1);
#pragma omp atomic
    *p += n;
#pragma omp atomic
    *f *= 2;
#pragma omp atomic
    *c += 1;
    unsigned long long old;
#pragma omp atomic capture
    {
        old = *u;
        *u += n;
    }
    char before;
#pragma omp atomic capture
    {
        before = *c;
        *c = (char)(n + 1);
    }
    *c += before - (char)(n + 1) + 0 * (char)old;
}
#pragma omp end declare target

#define N 1000

int main(void)
{
    int seen[4] = {0}, i = 0;
    float f = 1;
    char c = 0;
    unsigned long long u = 0;
#pragma omp target map(from: seen) map(tofrom: i, f, c, u)
    {
        int own = 0;
        float own_float = 1;
        char own_char = 0;
        unsigned long long own_long = 0;
        add(&own, &own_float, &own_char, &own_long, 4);
        seen[0] = own;
        seen[1] = (int)own_float;
        seen[2] = own_char;
        seen[3] = (int)own_long;
        add(&i, &f, &c, &u, 3);
    }
    check_int("own", 0, seen[0], 10);
    check_int("own", 1, seen[1], 32);
    check_int("own", 2, seen[2], 5);
    check_int("own", 3, seen[3], 10);
    check_int("mapped", 0, i, 6);
    check_near("mapped", 1, f, 16, 0);
    check_int("mapped", 2, c, 4);
    check_int("mapped", 3, (long)u, 6);
    return finish();
}
