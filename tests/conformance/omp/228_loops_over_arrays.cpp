// Loops over arrays, `for (auto &x : array)`, whose iterations threads share.
#include "../check.h"

#include <array>
#include <complex>

int main()
{
    std::array<double, 64> a;
    a.fill(1);
    int b[100];
    for (int i = 0; i < 100; i++)
        b[i] = i;
    double sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (double &x : a)
        x += 2;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: a)
    for (auto x : a)
        sum += x;
    check_near("sum", 0, sum, 192, 0);
#pragma omp target parallel for map(tofrom: b)
    for (int &x : b)
        x *= 2;
#pragma omp target teams map(tofrom: b)
#pragma omp distribute
    for (int &x : b)
        x += 1;
#pragma omp target parallel map(tofrom: b)
#pragma omp for
    for (auto &&x : b) {
        if (x > 5)
            continue;
        x = 0;
    }
    for (int i = 0; i < 100; i++)
        check_int("b", i, b[i], i < 3 ? 0 : 2 * i + 1);
    std::complex<float> z[10];
    for (int i = 0; i < 10; i++)
        z[i] = {float(i), 1};
#pragma omp target parallel for map(tofrom: z)
    for (auto &c : z)
        c = c * std::conj(c);
    for (int i = 0; i < 10; i++)
        check_near("z", i, z[i].real(), i * i + 1, 0);
    return finish();
}
