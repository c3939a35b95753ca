// Functions of the standard library that write to their objects: what calls them is not free of effects.
#include "check.h"
#include <array>
#include <complex>
#include <utility>

static double bump(std::complex<double> &z)
{
    z += 1.0;
    return z.real();
}

static double set(std::complex<double> *z)
{
    z->real(5);
    return z->imag();
}

static int shorten(std::array<int, 2> &n)
{
    n.fill(3);
    return n[0];
}

static int take(std::pair<int, int> &p, int value)
{
    return std::exchange(p.first, value);
}

int main()
{
    const int n = 50;
    std::complex<double> z[n];
    double sums[n], parts[n];
    int counts[n];
    for (int i = 0; i < n; i++)
        z[i] = i;
#pragma acc parallel loop copy(z) copyout(sums, parts, counts)
    for (int i = 0; i < n; i++) {
        double t = bump(z[i]);
        sums[i] = t + t;
        sums[i] += bump(z[i]);
        std::complex<double> w(1, i);
        parts[i] = set(&w);
        parts[i] += 100 * w.real();
        std::array<int, 2> lengths{10, 10};
        int k;
        for (k = 0; k < lengths[0]; k++)
            if (k == 2)
                lengths.fill(5);
        lengths = {7, 7};
        int shortened = shorten(lengths);
        std::pair<int, int> p(i, 0);
        int taken = take(p, 4);
        counts[i] = k + 10 * shortened + 100 * lengths[1] + 1000 * p.first + 10000 * taken;
    }
    for (int i = 0; i < n; i++) {
        check_near("z", i, z[i].real(), i + 2, 0);
        check_near("sum", i, sums[i], 2 * (i + 1) + i + 2, 0);
        check_near("parts", i, parts[i], 500 + i, 0);
        check_int("count", i, counts[i], 5 + 30 + 300 + 4000 + 10000 * i);
    }
    return finish();
}
