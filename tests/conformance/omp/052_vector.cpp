// C++: data of std::vector and std::unique_ptr through pointers, nested in objects.
// expect: launches=3
#include "../check.h"
#include <memory>
#include <vector>

class Samples {
    std::vector<float> values;

  public:
    explicit Samples(int n) : values(n, 1.5f) {}
    void add(float by)
    {
        float *v = values.data();
        const std::size_t n = values.size();
#pragma omp target teams distribute parallel for map(tofrom: v[0:n])
        for (std::size_t i = 0; i < n; i++)
            v[i] += by + i;
    }
    float at(int i) const { return values[i]; }
};

int main()
{
    Samples s(200);
    s.add(2);
    for (int i = 0; i < 200; i++)
        check_near("samples", i, s.at(i), 3.5 + i, 0);
    std::vector<int> a(50, 3), b(50);
    int *pa = a.data(), *pb = b.data();
#pragma omp target enter data map(to: pa[0:50]) map(alloc: pb[0:50])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; i++)
        pb[i] = pa[i] * i;
#pragma omp target exit data map(from: pb[0:50]) map(release: pa[0:50])
    for (int i = 0; i < 50; i++)
        check_int("b", i, b[i], 3 * i);
    std::unique_ptr<double[]> owned(new double[30]);
    double *p = owned.get();
#pragma omp target teams distribute parallel for map(from: p[0:30])
    for (int i = 0; i < 30; i++)
        p[i] = i / 2.0;
    for (int i = 0; i < 30; i++)
        check_near("owned", i, owned[i], i / 2.0, 0);
    return finish();
}
