// Namespaces: nested, unnamed, using; the same name in two of them; std:: mathematics.
// expect: launches=2 uploads=2 downloads=2
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include "check.h"

namespace physics {
constexpr double gravity = 9.75;
namespace detail {
#pragma acc routine seq
inline double fall(double t) { return 0.5 * gravity * t * t; }
}
void drop(int n, double *t)
{
#pragma acc parallel loop copy(t[0:n])
    for (int i = 0; i < n; i++)
        t[i] = detail::fall(t[i]);
}
}

namespace games {
namespace detail {
#pragma acc routine seq
inline double fall(double t) { return -t; }
}
}

namespace {
using physics::detail::fall;
void drop(int n, double *t)
{
#pragma acc parallel loop copy(t[0:n])
    for (int i = 0; i < n; i++)
        t[i] = std::sqrt(std::abs(fall(t[i]) + games::detail::fall(i))) + std::pow(t[i], 2);
}
}

int main()
{
    const int n = 64;
    double a[n], b[n];
    for (int i = 0; i < n; i++)
        a[i] = b[i] = 0.1 * i;
    physics::drop(n, a);
    ::drop(n, b);
    for (int i = 0; i < n; i++) {
        double t = 0.1 * i, way = 0.5 * 9.75 * t * t;
        check_near("a", i, a[i], way, 1e-14);
        check_near("b", i, b[i], std::sqrt(std::fabs(way - i)) + t * t, 1e-12);
    }
    return finish();
}
