// Vectors whose elements lie in memory that the runtime does not know, as another library's: the host runs the loops. Those of
// the usual allocator are launched.
// expect: launches=2
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include "../check.h"
#include <sys/mman.h>
#include <vector>

template <class T> struct Mapped {
    using value_type = T;
    Mapped() = default;
    template <class U> Mapped(const Mapped<U> &) {}
    T *allocate(std::size_t n)
    {
        return static_cast<T *>(
            mmap(nullptr, n * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    }
    void deallocate(T *p, std::size_t n) { munmap(p, n * sizeof(T)); }
    bool operator==(const Mapped &) const { return true; }
    bool operator!=(const Mapped &) const { return false; }
};

template <class Vector> void add(Vector &y, const std::vector<double> &x)
{
#pragma omp parallel for
    for (int i = 0; i < (int)x.size(); i++)
        y[i] += x[i];
}

struct Field {
    std::vector<double> values;
    std::vector<double, Mapped<double>> mapped;

    void twice()
    {
        int n = (int)values.size();
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            values[i] *= 2;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            mapped[i] *= 2;
    }
};

int main()
{
    constexpr int N = 5000;
    std::vector<double> x(N, 1.0), y(N, 2.0);
    std::vector<double, Mapped<double>> z(N, 3.0);
    add(y, x);
    add(z, x);
    Field field{y, z};
    field.twice();
    for (int i = 0; i < N; i += 11) {
        check_near("y", i, y[i], 3.0, 0);
        check_near("z", i, z[i], 4.0, 0);
        check_near("values", i, field.values[i], 6.0, 0);
        check_near("mapped", i, field.mapped[i], 8.0, 0);
    }
    return finish();
}
