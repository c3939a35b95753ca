#include <vector>

extern "C" double sum(int n, const double *a)
{
    std::vector<double> copy(a, a + n);
    const double *p = copy.data();
    double total = 0;
#pragma acc parallel loop copyin(p[0:n]) reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += p[i];
    return total;
}
