// routine across files in C++: namespaces, overloads, members, variables that the caller cannot name.
// expect: launches=3
// sources: parts/822_grid.cpp
#include "check.h"
#include "parts/822_grid.h"

static double minus(double a, double b)
{
    return b - a;
}

int main()
{
    const int n = 300;
    static double a[n], b[n];
    static int c[n];
    static grid::cell cells[n];
    for (int i = 0; i < n; i++) {
        cells[i].u = i % 13;
        cells[i].v = i % 5;
    }
#pragma acc parallel loop copyout(a, b, c) copyin(cells)
    for (int i = 0; i < n; i++) {
        a[i] = grid::flux(cells[i], cells[(i + 1) % n]) + grid::flux(1.0, minus(1.0, i));
        b[i] = grid::inner::scale(twice(0.5 * i));
        c[i] = grid::flux(i, 3) + c_function(i);
    }
    for (int i = 0; i < n; i++) {
        grid::cell l = cells[i], r = cells[(i + 1) % n];
        double f = l.u > r.u ? (l.u - r.u) * 0.5 : r.u - l.u;
        double m = i - 1.0, g = 1.0 > m ? (1.0 - m) * 0.5 : m - 1.0;
        check_near("a", i, a[i], f + 2 * l.v + g, 1e-13);
        check_near("b", i, b[i], i + 100.0, 1e-13);
        check_int("c", i, c[i], i * 10 + 3 + (i ^ 5));
    }
#pragma acc parallel loop copyout(a) copyin(cells)
    for (int i = 0; i < n; i++)
        a[i] = cells[i].sum();
    for (int i = 0; i < n; i++)
        check_near("sum", i, a[i], cells[i].u + 4 * cells[i].v, 1e-13);
#pragma acc parallel loop copy(cells)
    for (int i = 0; i < n; i++) {
        grid::cell one = {1, 2};
        cells[i] += one;
    }
    for (int i = 0; i < n; i++)
        check_near("u", i, cells[i].u + cells[i].v, i % 13 + i % 5 + 3, 0);
    return finish();
}
