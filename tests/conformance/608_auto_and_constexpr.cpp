// auto, decltype, constexpr values and functions, braces for initialisation, nullptr, enum class.
// expect: launches=1 uploads=2 downloads=2
#include "check.h"

enum class Side : unsigned char { left = 1, right = 7 };

#pragma acc routine seq
constexpr int cube(int x) { return x * x * x; }

constexpr int n = cube(5);
constexpr double weights[3] = {0.25, 0.5, 0.25};

int main()
{
    double in[n], out[n];
    Side sides[n];
    for (auto i = 0; i < n; i++)
        in[i] = (i * 7) % 19;
#pragma acc parallel loop copyin(in) copyout(out, sides)
    for (auto i = 0; i < n; i++) {
        const auto left = i > 0 ? in[i - 1] : in[i], right = i + 1 < n ? in[i + 1] : in[i];
        decltype(left * 1.0f) middle{in[i]};
        auto sum = weights[0] * left + weights[1] * middle + weights[2] * right;
        constexpr auto offset = cube(3) - 7;
        out[i] = sum + offset + cube(i % 4);
        const double *none = nullptr;
        sides[i] = left < right && none == nullptr ? Side::left : Side::right;
    }
    for (int i = 0; i < n; i++) {
        double left = i > 0 ? in[i - 1] : in[i], right = i + 1 < n ? in[i + 1] : in[i];
        int k = i % 4;
        check_near("out", i, out[i], 0.25 * left + 0.5 * in[i] + 0.25 * right + 20 + k * k * k, 1e-15);
        check_int("sides", i, static_cast<int>(sides[i]), left < right ? 1 : 7);
    }
    return finish();
}
