// A clause of a data construct names a variable, and a function template that is given a lambda inside has a parameter of the same
// name, as has a block: the section is that of the clause.
// expect: launches=4
#include "check.h"
#include <vector>

template <class F> void parallel_for(int n, F f)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        f(i);
}

int main()
{
    const int n = 50, m = 40;
    std::vector<double> a(n * m), b(n * m);
    for (int i = 0; i < n * m; i++)
        a[i] = i % 13;
    double *from = a.data(), *to = b.data();
#pragma acc data copyin(from[0:n * m]) copy(to[0:n * m])
    {
        parallel_for(n * m, [=](int i) { to[i] = from[i] + 1; });
        parallel_for(n, [=](int i) {
            for (int j = 0; j < m; j++)
                to[i * m + j] += from[i * m + j];
        });
        {
            int n = 2000, m = 10;
#pragma acc parallel loop
            for (int i = 0; i < n; i++)
                to[i] += m * from[i];
        }
#pragma acc parallel loop default(none)
        for (int i = 0; i < n * m; i++)
            to[i] += from[i];
    }
    for (int i = 0; i < n * m; i++)
        check_near("b", i, b[i], 13 * (i % 13) + 1, 0);
    return finish();
}
