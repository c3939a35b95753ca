// C++: references to scalars, arrays, structures and pointers, in clauses and by rule.
// expect: launches=7
// needs: separate
#include "../check.h"

struct Pair {
    int first, second;
};

static void scalar(int &x, int &unchanged)
{
#pragma omp target map(tofrom: x)
    {
        x += 5;
        unchanged += 5;
    }
}

static void array(int (&a)[40])
{
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < 40; i++)
        a[i] *= 2;
}

static void by_rule(int (&a)[40], Pair &pair)
{
#pragma omp target
    {
        a[1] = pair.first;
        pair.second = a[2];
    }
}

static void pointer(double *&p, const int &n)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; i++)
        p[i] += n;
}

static void structure(Pair &pair)
{
#pragma omp target map(tofrom: pair)
    pair.first += pair.second;
}

int main()
{
    int x = 1, y = 2, a[40];
    Pair pair = { 3, 4 };
    double *p = new double[30];
    for (int i = 0; i < 40; i++)
        a[i] = i;
    for (int i = 0; i < 30; i++)
        p[i] = i;
    scalar(x, y);
    check_int("x", 0, x, 6);
    check_int("y", 0, y, 2);
    array(a);
    by_rule(a, pair);
    check_int("a", 1, a[1], 3);
    check_int("pair", 1, pair.second, 4);
    for (int i = 2; i < 40; i++)
        check_int("a", i, a[i], 2 * i);
    pointer(p, 30);
    for (int i = 0; i < 30; i++)
        check_near("p", i, p[i], i + 30, 0);
    structure(pair);
    check_int("pair", 0, pair.first, 7);
    // A reference to what is mapped is what is mapped.
    int &alias = x;
#pragma omp target data map(tofrom: alias)
    {
        x = 100;
#pragma omp target map(tofrom: alias)
        alias++;
    }
    check_int("x", 1, x, 7);
    int &element = a[5];
#pragma omp target map(tofrom: element)
    element = 55;
    check_int("a", 5, a[5], 55);
    return finish();
}
