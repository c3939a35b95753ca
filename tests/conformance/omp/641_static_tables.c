// Static variables of functions that nothing changes are tables, with `const` or without it; whose address outlives a call,
// or which a call changes, is the host's.
// expect: launches=2
// expect-remark: a static variable that all threads would share
#include "../check.h"

#define N 40

static int at(int i)
{
    static int table[2][2] = {{1, 2}, {3, 4}};
    static int size = 2;
    return table[i % size][i / 2 % size];
}

static double weight(int i)
{
    static const double w[3] = {0.5, 1.5, 2.5};
    const double *p = w;
    return p[i % 3];
}

static double sum(const double *t) { return t[0] + t[1]; }

static double of_sum(int i)
{
    static const double t[2] = {1, 2};
    return sum(t) + i;
}

static void change(double *t) { t[1] += 1; }

static double changed(void)
{
    static double t[2] = {1, 2};
    change(t);
    return t[1];
}

static const double *whole(void)
{
    static const double t[3] = {1, 2, 3};
    return t;
}

int main(void)
{
    double a[N], b[N], last = 0, third = 0;
#pragma omp target teams distribute parallel for map(from : a)
    for (int i = 0; i < N; i++) {
        static float own[2] = {10, 20};
        a[i] = at(i) + weight(i) + own[i & 1];
    }
#pragma omp target teams distribute parallel for map(from : b)
    for (int i = 0; i < N; i++)
        b[i] = of_sum(i);
#pragma omp target map(tofrom : last)
    for (int i = 0; i < 5; i++)
        last = changed();
#pragma omp target map(tofrom : third)
    third = whole()[2];
    for (int i = 0; i < N; i++) {
        check_near("table", i, a[i], at(i) + weight(i) + (i & 1 ? 20 : 10), 1e-12);
        check_near("sum", i, b[i], 3 + i, 1e-12);
    }
    check_near("changed", 0, last, 7, 1e-12);
    check_near("whole", 0, third, 3, 1e-12);
    return finish();
}
