// Objects that conditions and functions choose, in whatever memory they lie: read, written, given to functions and methods,
// and named by references, which see what is stored into the object under its own name.
// expect: launches=1
#include "check.h"

struct Vec {
    double e[2];
    double &operator[](int k) { return e[k]; }
    const double &operator[](int k) const { return e[k]; }
    Vec operator+(const Vec &o) const { return {{e[0] + o.e[0], e[1] + o.e[1]}}; }
    bool operator<(const Vec &o) const { return e[0] < o.e[0]; }
    double dot(const Vec &o) const { double s = 0; for (int k = 0; k < 2; k++) s += e[k] * o.e[k]; return s; }
    void scale(double by) { for (int k = 0; k < 2; k++) e[k] *= by; }
};
template <class T> static const T &larger(const T &a, const T &b) { return a < b ? b : a; }
template <class T> static T &smaller_of(T &a, T &b) { return b < a ? b : a; }
static double length(const Vec &v) { return v.dot(v); }
static void set(double &to, double value) { to = value; }
static double chosen_here(const Vec &a, const Vec &b, bool first) { return (first ? a : b).dot(larger(a, b)); }

static double compute(int i, double *a, Vec *p, const int *at, double slope, const Vec &line)
{
    double mine = 5, sum = 0;
    Vec own = {{3, 4}};
    // Read.
    sum += larger(mine, a[i]) + larger(slope, a[i]) + larger(larger(mine, slope), larger(a[i], 1.5));
    sum += larger(own, p[i]).dot(larger(p[i], larger(line, own))) + length(larger(own, p[i]));
    sum += larger(Vec{{2, 1}}, p[i])[i % 2] + larger(p[i], own).e[1] + (larger(p[i], own) + larger(line, own))[0];
    Vec copied = larger(own, larger(p[i], line));
    sum += copied[1] + chosen_here(own, p[i], i % 3 == 0);
    // Written.
    (i % 2 ? mine : a[i]) = 7;
    (i % 2 ? mine : a[i]) += 2;
    ++(i % 3 ? a[i] : mine);
    smaller_of(own, p[i]).e[1] = 6;
    smaller_of(own, p[i]) = Vec{{0.5, 2}};
    set(i % 2 ? mine : a[i], mine + 1);
    (i % 2 ? own : p[i]).scale(0.5);
    // Named.
    const double &one = i % 2 ? mine : a[i];
    double &other = i % 2 ? a[i] : mine;
    const Vec &v = larger(own, p[i]);
    const double &found = i > 0 ? a[at[i]] : mine;
    sum += one + 10 * found;
    a[i] = 11;
    mine = 13;
    other += 1;
    own.e[1] = p[i].e[1] = 0.25;
    return sum + 100 * one + 1000 * other + v[1] + mine + a[i];
}

int main()
{
    const int n = 64;
    double a[n], o[n], b[n];
    Vec p[n], q[n], line = {{1, 0.5}};
    int at[n];
    double slope = 4;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] = i % 7;
        p[i] = q[i] = Vec{{i % 5 * 1.0, i * 0.5}};
        at[i] = i;
    }
#pragma acc parallel loop copy(a, p) copyin(at) copyout(o)
    for (int i = 0; i < n; i++) {
        o[i] = compute(i, a, p, at, slope, line);
        o[i] += larger(slope, a[i]) + larger(line, p[i])[1];
    }
    for (int i = 0; i < n; i++) {
        double want = compute(i, b, q, at, slope, line);
        want += larger(slope, b[i]) + larger(line, q[i])[1];
        check_near("o", i, o[i], want, 1e-14);
        check_near("a", i, a[i], b[i], 1e-14);
        check_near("p", i, p[i].e[0] + p[i].e[1], q[i].e[0] + q[i].e[1], 1e-14);
    }
    return finish();
}
