// Structured bindings of std::array in device code: copies, references, and arrays of arrays.
// expect: launches=1
#include "check.h"
#include <array>

constexpr int N = 50;

static double decomposed(int i)
{
    std::array<double, 3> a{1.0 * i, 2, 3};
    auto [x, y, z] = a;
    a[0] = 100;
    double sum = x * y + z;
    auto &[p, q, r] = a;
    p = 5;
    q += r;
    sum += a[0] + a[1];
    const auto &[u, v, w] = a;
    sum += u * v * w;
    std::array<std::array<int, 2>, 2> m{{{i, 1}, {2, 3}}};
    auto [first, second] = m;
    return sum + first[0] * second[1];
}

int main()
{
    double out[N];
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = decomposed(i);
    for (int i = 0; i < N; i++)
        check_near("sum", i, out[i], decomposed(i), 1e-12);
    return finish();
}
