// Members that are no numbers, compared by `<=>`: neither `<=` nor `>=` holds. Other orders than with zero the host compares.
// flags: -std=c++20
// expect: launches=1
#include <cmath>
#include <compare>
#include <tuple>
#include <utility>
#include "../check.h"

struct Point
{
    double x, y;
    auto operator<=>(const Point &) const = default;
};

template <class T> static int all(const T &a, const T &b)
{
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;
}

int main()
{
    double none = NAN;
    int found[8], serial[8];
    auto each = [](int *found, double none) {
        found[0] = all(Point{1, none}, Point{1, 2});
        found[1] = all(Point{none, 1}, Point{2, 1});
        found[2] = all(Point{1, 3}, Point{1, 3});
        found[3] = all(Point{1, 3}, Point{2, none});
        found[4] = all(std::make_pair(none, 1), std::make_pair(2.0, 1));
        found[5] = all(std::make_pair(2.0, 7), std::make_pair(2.0, 1));
        found[6] = all(std::make_tuple(1, none), std::make_tuple(1, 3.0));
        found[7] = all(std::make_tuple(1, 3.0, 'a'), std::make_tuple(1, 3.0, 'b'));
    };
#pragma omp target map(from: found) map(to: none)
    each(found, none);
    each(serial, none);
    for (int k = 0; k < 8; k++)
        check_int("found", k, found[k], serial[k]);

    bool unordered = false;
#pragma omp target map(from: unordered) map(to: none)
    {
        Point a{1, none}, b{1, 2};
        unordered = (a <=> b) == std::partial_ordering::unordered;
    }
    check_true("unordered", unordered);
    return finish();
}
