// Operators and methods that return references to objects in different memories; const references to a
// loop's variable.
// expect: launches=1
#include "check.h"
#include <algorithm>

struct Pair {
    double x, y;
    Pair operator+(const Pair &o) const { return Pair{x + o.x, y + o.y}; }
    Pair &operator+=(const Pair &o) { x += o.x; y += o.y; return *this; }
    double &operator[](int i) { return i ? y : x; }
};
static double &first(Pair *p) { return p->x; }
static const double *larger(const double *a, const double *b) { return *a > *b ? a : b; }

int main()
{
    const int n = 77;
    Pair p[n];
    double out[n];
    for (int i = 0; i < n; i++)
        p[i] = Pair{0.5 * i, 10.0 - i};
#pragma acc parallel loop copy(p) copyout(out)
    for (int i = 0; i < n; i++) {
        Pair own = p[i] + Pair{1, 2};
        own += p[i];
        p[i] += own;
        own[1] += 3;
        p[i][0] += own[1];
        first(&own) *= 2;
        first(&p[i]) += first(&own);
        out[i] = *larger(&own.x, &own.y) + *larger(&p[i].x, &p[i].y) + std::min(i, 5);
    }
    for (int i = 0; i < n; i++) {
        double x = 0.5 * i, y = 10.0 - i, own_x = x + 1 + x, own_y = y + 2 + y;
        x += own_x;
        y += own_y;
        own_y += 3;
        x += own_y;
        own_x *= 2;
        x += own_x;
        check_near("x", i, p[i].x, x, 1e-14);
        check_near("y", i, p[i].y, y, 1e-14);
        check_near("out", i, out[i], (own_x > own_y ? own_x : own_y) + (x > y ? x : y) + (i < 5 ? i : 5), 1e-14);
    }
    return finish();
}
