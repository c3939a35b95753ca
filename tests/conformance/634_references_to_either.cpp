// References that conditions and functions choose between objects in different memories: locals and elements.
// expect: launches=1
#include "check.h"
#include <algorithm>

struct Pair {
    double x, y;
    double sum() const { return x + y; }
    bool operator<(const Pair &o) const { return x < o.x; }
};
template <class T> static const T &larger(const T &a, const T &b) { return a < b ? b : a; }

int main()
{
    const int n = 90;
    Pair p[n];
    double a[n], out[n];
    for (int i = 0; i < n; i++) {
        p[i] = Pair{i % 7 * 1.0, i * 1.0};
        a[i] = i % 11;
    }
#pragma acc parallel loop copyin(p, a) copyout(out)
    for (int i = 0; i < n; i++) {
        Pair own = {3, 4};
        double mine = 5;
        const double &one = i % 2 ? mine : a[i];
        out[i] = larger(own, p[i]).sum() + larger(p[i], Pair{2, 1}).x + larger(mine, a[i]) + one;
        mine = larger(a[i], 7.0);
        out[i] += mine + std::max(a[i], 2.0) + std::min(mine, a[i]);
    }
    for (int i = 0; i < n; i++) {
        double x = i % 7, v = i % 11;
        double expected = (3 < x ? x + i : 7) + (x < 2 ? 2 : x) + (5 < v ? v : 5) + (i % 2 ? 5 : v);
        double mine = v < 7 ? 7 : v;
        expected += mine + (v < 2 ? 2 : v) + (v < mine ? v : mine);
        check_near("out", i, out[i], expected, 1e-14);
    }
    return finish();
}
