// Functions called from a region, and theirs.
#include <math.h>
typedef struct { double x, y; } point;
static int helper_count;
static double square(double x) { return x * x; }
static inline double norm(point p) { return sqrt(square(p.x) + square(p.y)); }
static point scaled(point p, double by)
{
    p.x *= by;
    p.y *= by;
    return p;
}
static void move(point *p, double dx) { p->x += dx; }
static int bump(int *counter) { return (*counter)++; }
static long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
#pragma acc routine worker
void external(double *row, int n);
#pragma acc routine(outside) seq
int outside(int);

void f(int n, point *p, double *d, int *c)
{
#pragma acc parallel loop gang copy(p[0:n], d[0:n], c[0:n])
    for (int i = 0; i < n; i++) {
        d[i] = norm(p[i]) + square(2);
        p[i] = scaled(p[i], d[i]);
        move(&p[i], 1);
        c[bump(&c[0])] = bump(c + 1) + 1;
        if (bump(c) > 3 && bump(c + 1))
            d[i] = factorial(i);
        d[i] += norm(scaled(p[i], 2));
        external(d, n);
        c[i] = outside(i);
    }
}
