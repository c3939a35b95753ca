// List items that are what lies at an address: `*(p + n)`, `(q + n)->m`; and of several behind commas the last one.
#include "../check.h"

struct Pair {
    int n, *p;
};

int main()
{
    int x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, a = 0, b = 3;
    int *p = x, **pp = &p;
#pragma omp target map(tofrom: *(p + 2))
    p[2] = 20;
    check_int("x", 2, x[2], 20);
#pragma omp target map(tofrom: (*(*(pp + a) + b)))
    *(*(pp + a) + b) = 30;
    check_int("x", 3, x[3], 30);
    p = x + 8;
#pragma omp target enter data map(to: *(p - 1))
#pragma omp target map(tofrom: *(p - 1))
    p[-1] += 70;
#pragma omp target update from(*(p - 1))
    check_int("x", 7, x[7], 77);
#pragma omp target exit data map(release: *(p - 1))
    Pair pairs[2] = {{1, x}, {2, x}}, *q = pairs;
#pragma omp target map(tofrom: (q + 1)->n)
    q[1].n += 5;
    check_int("n", 1, pairs[1].n, 7);
#pragma omp target map((a, b))
    {
        a++;
        b++;
    }
    check_int("a", 0, a, 0);
    check_int("b", 0, b, 4);
    return finish();
}
