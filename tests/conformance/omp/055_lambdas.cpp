// C++: lambdas that capture scalars, pointers and references, mapped by rule and by clause, and target in lambdas.
// expect: launches=6
// needs: separate
// gcc: rejects, its compiler fails
#include "../check.h"

int main()
{
    const int n = 64;
    int offset = 5, total = 0;
    int *a = new int[n], *b = new int[n];
    for (int i = 0; i < n; i++)
        a[i] = i, b[i] = 0;
    auto shifted = [=](int x) { return x + offset; };
#pragma omp target teams distribute parallel for map(from: b[0:n])
    for (int i = 0; i < n; i++)
        b[i] = shifted(i);
    for (int i = 0; i < n; i++)
        check_int("b", i, b[i], i + 5);
#pragma omp target teams distribute parallel for map(to: shifted) map(from: b[0:n])
    for (int i = 0; i < n; i++)
        b[i] = shifted(2 * i);
    check_int("b", n, b[10], 25);

    // Captured pointers to what is mapped are followed on the device.
#pragma omp target data map(to: a[0:n]) map(tofrom: b[0:n])
    {
        auto body = [=](int i) { b[i] = a[i] * 3; };
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            body(i);
    }
    for (int i = 0; i < n; i++)
        check_int("b", 2 * n + i, b[i], 3 * i);
    auto by_reference = [&](int i) { b[i] = a[i] + offset; };
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: b[0:n]) map(to: offset)
    for (int i = 0; i < n; i++)
        by_reference(i);
    check_int("b", 3 * n, b[9], 14);

    auto launch = [&](int by) {
#pragma omp target teams distribute parallel for map(tofrom: b[0:n])
        for (int i = 0; i < n; i++)
            b[i] *= by;
    };
    launch(2);
    check_int("b", 4 * n, b[9], 28);
#pragma omp target map(tofrom: total)
    {
        auto local = [&](int x) { total += x; };
        for (int i = 0; i < 4; i++)
            local(i);
    }
    check_int("total", 0, total, 6);
    delete[] a;
    delete[] b;
    return finish();
}
