// flags: -std=c++17
// Comparisons of arrays and tuples of the standard library, `std::tie`, the constants of `std::numeric_limits`, and objects that
// convert to numbers in clauses.
#include "check.h"

#include <array>
#include <limits>
#include <tuple>
#include <utility>

#define N 40

struct Count {
    int value;
    constexpr operator int() const { return value; }
};

static int compared(int i)
{
    std::array<int, 3> a{1, 2, i}, b{1, 2, 3};
    std::pair<int, double> p{i % 4, 0.5}, q{2, 0.5};
    return (a == b) + 2 * (a != b) + 4 * (a < b) + 8 * (a <= b) + 16 * (a > b) + 32 * (a >= b) + 64 * (p == q) + 128 * (p < q) +
           256 * (std::make_tuple(i, 2) >= std::make_tuple(3, 2));
}

static int digits()
{
    return std::numeric_limits<float>::digits + 3 * std::numeric_limits<int>::digits10 +
           5 * std::numeric_limits<unsigned char>::digits + 7 * std::numeric_limits<double>::max_digits10 +
           11 * std::numeric_limits<double>::digits10 + 13 * std::numeric_limits<unsigned long>::digits10 +
           17 * std::numeric_limits<short>::digits10 + 19 * std::numeric_limits<float>::digits10 +
           (std::numeric_limits<unsigned>::is_signed ? 1000 : 1) + (std::numeric_limits<long long>::is_integer ? 2 : 2000);
}

int main(void)
{
    int order[N], numbers[N];
    double halves[N];
#pragma acc parallel loop num_gangs(Count{4}) if(Count{1}) copyout(order, numbers, halves)
    for (int i = 0; i < N; i++) {
        std::array<int, 3> a{1, 2, i}, b{1, 2, 3};
        std::pair<int, double> p{i % 4, 0.5}, q{2, 0.5};
        order[i] = (a == b) + 2 * (a != b) + 4 * (a < b) + 8 * (a <= b) + 16 * (a > b) + 32 * (a >= b) + 64 * (p == q) +
                   128 * (p < q) + 256 * (std::make_tuple(i, 2) >= std::make_tuple(3, 2));
        int u, v;
        double w;
        std::tie(u, v) = std::make_tuple(i, 2 * i);
        std::tie(w, u) = std::pair<float, long>(0.5f * i, u + v);
        halves[i] = w + u;
        numbers[i] = std::numeric_limits<float>::digits + 3 * std::numeric_limits<int>::digits10 +
                     5 * std::numeric_limits<unsigned char>::digits + 7 * std::numeric_limits<double>::max_digits10 +
                     11 * std::numeric_limits<double>::digits10 + 13 * std::numeric_limits<unsigned long>::digits10 +
                     17 * std::numeric_limits<short>::digits10 + 19 * std::numeric_limits<float>::digits10 +
                     (std::numeric_limits<unsigned>::is_signed ? 1000 : 1) +
                     (std::numeric_limits<long long>::is_integer ? 2 : 2000);
    }
    for (int i = 0; i < N; i++) {
        check_int("order", i, order[i], compared(i));
        check_near("halves", i, halves[i], 3.5 * i, 0);
        check_int("numbers", i, numbers[i], digits());
    }
    return finish();
}
