// -gpu=autodata: new[], std::vector, vectors that grow and are swapped, unique_ptr, placement in a vector of vectors.
// flags: -gpu=autodata
// needs: runtime
#include "check.h"
#include <memory>
#include <new>
#include <utility>
#include <vector>

static void twice(const double *from, double *to, long n)
{
#pragma acc parallel loop
    for (long i = 0; i < n; i++)
        to[i] = 2 * from[i];
}

struct alignas(128) Wide {
    float x[32];
};

int main()
{
    const long n = 50000;
    double *a = new double[n];
    std::vector<double> b(n), c;
    for (long i = 0; i < n; i++)
        a[i] = i;
    twice(a, b.data(), n);
    c.resize(n);
    twice(b.data(), c.data(), n);
    std::swap(b, c);
    for (long i = 0; i < n; i++)
        check_near("b", i, b[i], 4.0 * i, 0);
    // What only the device has moves along.
    twice(a, c.data(), n);
    for (long i = 0; i < n; i++)
        c.push_back(-1.0 * i);
    for (long i = 0; i < n; i++)
        check_near("c", i, c[i], 2.0 * i, 0), check_near("c", n + i, c[n + i], -1.0 * i, 0);
    delete[] a;

    std::unique_ptr<double[]> p(new (std::nothrow) double[n]);
    twice(b.data(), p.get(), n);
    check_near("p", 5, p[5], 40, 0);

    std::vector<std::vector<double>> rows(8, std::vector<double>(3000, 1.5));
    for (int times = 0; times < 3; times++)
        for (auto &row : rows)
            twice(row.data(), row.data(), (long)row.size());
    for (auto &row : rows)
        for (double x : row)
            check_near("row", 0, x, 12, 0);

    long m = 1000;
    Wide *w = new Wide[m]();
#pragma acc parallel loop
    for (long i = 0; i < m; i++)
        w[i].x[3] = i;
    check_int("aligned", 0, (long)w % 128, 0);
    for (long i = 0; i < m; i++)
        check_near("w", i, w[i].x[3], i, 0), check_near("w", i, w[i].x[4], 0, 0);
    delete[] w;
    try {
        volatile unsigned long huge = ~0ul / 32;
        std::vector<double> never(huge);
        check_true("an exception", false);
    } catch (const std::exception &) {
    }
    return finish();
}
