// The same in C++: functions of namespaces and classes, objects with pointers to them, a function that is defined further down.
// expect: launches=2
#include "check.h"

struct Kind {
    static int last(int a, int b) { return a % 10 - b % 10; }
};

namespace orders {
using comparison = int (*)(int, int);
int up(int a, int b) { return a - b; }
int down(int a, int b) { return b - a; }
void sort(int *a, int n, comparison order)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && order(a[j], a[j - 1]) < 0; j--) {
            int old = a[j];
            a[j] = a[j - 1];
            a[j - 1] = old;
        }
}
}

static double sum(double (*f)(double), int n)
{
    double of = 0;
    for (int i = 0; i < n; i++)
        of += f(i);
    return of;
}

static double half(double x) { return x * 0.5; }
static double next(double x) { return x + 1; }

int main()
{
    const int n = 60;
    int a[n][9], b[n][9];
    double s[n];
    orders::comparison of[3] = {orders::up, &orders::down, Kind::last};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 9; j++)
            a[i][j] = b[i][j] = (i * 17 + j * 23) % 97;
#pragma acc parallel loop copy(a) copyin(of)
    for (int i = 0; i < n; i++)
        orders::sort(a[i], 9, of[i % 3]);
#pragma acc parallel loop copyout(s)
    for (int i = 0; i < n; i++)
        s[i] = sum(i % 2 ? half : next, i % 8);
    for (int i = 0; i < n; i++) {
        orders::sort(b[i], 9, of[i % 3]);
        for (int j = 0; j < 9; j++)
            check_int("sorted", i * 9 + j, a[i][j], b[i][j]);
        check_near("sum", i, s[i], sum(i % 2 ? half : next, i % 8), 1e-12);
    }
    return finish();
}
