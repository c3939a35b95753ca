// A lambda that captures a reference by copy keeps what was there when it was made, by whatever name that is changed later.
// expect: launches=1
#include "check.h"

static void set(double &to, double value) { to = value; }
template <class F> static double called(const F &f, double x) { return x > 0 ? f(x) : f(-x); }

int main()
{
    const int n = 64;
    double a[n], o[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop copy(a) copyout(o)
    for (int i = 0; i < n; i++) {
        double local = 2;
        double &element = a[i], &other = local;
        auto kept = [=](double x) { return x + element + local; };
        auto seen = [&](double x) { return x + element + local; };
        auto changed = [&](double x) { set(element, x); other += x; };
        a[i] = 100;
        other = 3;
        o[i] = kept(1) + 1000 * seen(1);
        changed(5);
        o[i] += called(kept, -2) + 0.5 * called(seen, 2);
        o[i] += [=, &other] { other = 7; return local; }();
    }
    for (int i = 0; i < n; i++) {
        check_near("o", i, o[i], (1 + i + 2) + 1000 * (1 + 100 + 3) + (2 + i + 2) + 0.5 * (2 + 5 + 8) + 8, 1e-14);
        check_near("a", i, a[i], 5, 0);
    }
    return finish();
}
