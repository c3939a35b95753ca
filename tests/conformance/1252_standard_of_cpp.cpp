// No option names a standard: C++17, as g++, nvc++ and newer clang have it. Braces initialise a derived class with its base.
// expect: launches=2
#include "check.h"
#include <optional>

namespace first::second {
struct Base {
    double factor;
    double apply(double x) const { return factor * x; }
};
struct Derived : Base {
    double offset;
    double shifted(double x) const { return apply(x) + offset; }
};
inline constexpr int count = 50;
} // namespace first::second

using namespace first::second;

template <typename T> static T twice(T x)
{
    if constexpr (sizeof(T) == sizeof(double))
        return x * 2;
    else
        return x + x + 1;
}

int main()
{
    double a[count];
    int b[count];
    Derived outside{{2.0}, 1.0};
    std::optional<int> chosen = 3;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < count; i++)
        a[i] = outside.shifted(i);
    for (int i = 0; i < count; i++)
        check_near("outside", i, a[i], 2.0 * i + 1, 1e-12);
    const int add = *chosen;
#pragma acc parallel loop copyout(a, b)
    for (int i = 0; i < count; i++) {
        Derived inside{{double(i)}, 0.5};
        a[i] = twice(inside.shifted(2));
        b[i] = twice(i) + add;
    }
    for (int i = 0; i < count; i++) {
        check_near("inside", i, a[i], 4.0 * i + 1, 1e-12);
        check_int("the other branch", i, b[i], 2 * i + 4);
    }
    return finish();
}
