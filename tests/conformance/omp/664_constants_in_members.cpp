// Constants of the library with which members of a class begin.
// flags: -std=c++20
// expect: launches=1
#include "../check.h"
#include <limits>
#include <numbers>

struct Wave {
    double phase = std::numbers::pi / 2;
    float half = std::numbers::pi_v<float> / 2;
    int digits = std::numeric_limits<float>::digits;
};

int main()
{
    double phases[10], halves[10];
    int digits[10];
#pragma omp target teams distribute parallel for map(from : phases, halves, digits)
    for (int i = 0; i < 10; i++) {
        Wave wave;
        phases[i] = wave.phase * i;
        halves[i] = wave.half;
        digits[i] = wave.digits;
    }
    for (int i = 0; i < 10; i++) {
        check_near("phase", i, phases[i], 1.5707963267948966 * i, 1e-12);
        check_near("half", i, halves[i], 1.5707963, 1e-6);
        check_int("digits", i, digits[i], 24);
    }
    return finish();
}
