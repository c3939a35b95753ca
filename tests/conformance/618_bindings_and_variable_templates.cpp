// flags: -std=c++17
// Structured bindings, of values and references, in regions and around them; variable templates.
#include "check.h"

struct Point {
    int x;
    double y;
};

template <class T> constexpr T pi = T(3.14159265358979);
template <class T> const T offset = T(2.5);

static Point make(int i)
{
    return {i, 2.0 * i};
}

int main()
{
    const int n = 50;
    double r[n], s[n], t[n];
    Point points[n];
    for (int i = 0; i < n; i++)
        points[i] = make(i);
    auto [factor, shift] = make(3);
    auto &[first, second] = points[7];
    first = 70;
#pragma acc parallel loop copyout(r, s, t) copy(points)
    for (int i = 0; i < n; i++) {
        auto [a, b] = points[i];
        a += 1;
        r[i] = a + b * factor + shift;
        auto &[x, y] = points[i];
        x = 2 * x;
        y += first;
        s[i] = pi<double> * i + pi<float> + offset<int>;
        const auto &[cx, cy] = points[i];
        t[i] = cx - cy;
    }
    for (int i = 0; i < n; i++) {
        int x = i == 7 ? 70 : i;
        check_near("r", i, r[i], x + 1 + 2.0 * i * 3 + 6, 0);
        check_int("x", i, points[i].x, 2 * x);
        check_near("y", i, points[i].y, 2.0 * i + 70, 0);
        check_near("s", i, s[i], 3.14159265358979 * i + 3.14159265358979f + 2, 1e-14);
        check_near("t", i, t[i], 2 * x - (2.0 * i + 70), 0);
    }
    check_near("second", 0, second, 84, 0);
    return finish();
}
