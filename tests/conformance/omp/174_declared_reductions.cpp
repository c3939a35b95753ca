// Reductions of classes that the program declares, in namespaces, too: OpenMP 5.2 §5.5.11.
// expect: launches=5
#include "../check.h"

struct Point {
    double x, y;
    Point() : x(0), y(0) {}
    Point(double a, double b) : x(a), y(b) {}
    Point &operator+=(const Point &other)
    {
        x += other.x;
        y += other.y;
        return *this;
    }
};
#pragma omp declare reduction(+ : Point : omp_out += omp_in)

namespace space {
template <typename T> struct Found {
    T value;
    int place;
    bool operator<(const Found &other) const
    {
        return value < other.value || (value == other.value && place < other.place);
    }
};
using Least = Found<float>;
inline Least least(Least a, Least b)
{
    return b < a ? b : a;
}
#pragma omp declare reduction(least : Found<float> : omp_out = least(omp_out, omp_in)) \
    initializer(omp_priv = Least{1e30f, -1})

void find(const float *a, int n, Least &found)
{
#pragma omp target teams distribute parallel for map(to: a[0 : n]) map(tofrom: found) reduction(least : found)
    for (int i = 0; i < n; i++)
        found = least(found, Least{a[i], i});
}
} // namespace space

int main()
{
    Point p(1, 2);
#pragma omp target teams distribute parallel for reduction(+ : p) map(tofrom: p)
    for (int i = 0; i < 1000; i++)
        p += Point(i, 1);
    check_near("class", 0, p.x, 1 + 499500, 0);
    check_near("class", 1, p.y, 1002, 0);

    const int n = 5000;
    static float a[n];
    for (int i = 0; i < n; i++)
        a[i] = (i * 37) % 1009 + 5;
    space::Least found{50, 12345};
    space::find(a, n, found);
    check_near("least", 0, found.value, 5, 0);
    check_int("least", 1, found.place, 0);

    // The directive is the function's own: one thread reduces.
#pragma omp declare reduction(bits : int : omp_out |= omp_in) initializer(omp_priv = 0)
    int bits = 0;
#pragma omp target teams distribute parallel for reduction(bits : bits) map(tofrom: bits)
    for (int i = 0; i < 30; i++)
        bits |= 1 << i;
    check_int("inside", 0, bits, (1 << 30) - 1);
    return finish();
}
