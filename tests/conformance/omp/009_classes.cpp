// C++: members of `this`, references, templates and lambdas in constructs.
// expect: launches=4
#include "../check.h"
#include <vector>

template <typename T> static void fill(T *a, int n, T value)
{
#pragma omp target teams distribute parallel for map(from: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = value + T(i);
}

struct Field {
    int n;
    double *values;
    Field(int n) : n(n), values(new double[n])
    {
        for (int i = 0; i < n; i++)
            values[i] = i;
    }
    void scale(double by)
    {
#pragma omp target teams distribute parallel for map(tofrom: values[0:n])
        for (int i = 0; i < n; i++)
            values[i] *= by;
    }
    ~Field() { delete[] values; }
};

static void add(std::vector<double> &v, double by)
{
    double *p = v.data();
    int n = int(v.size());
    auto sum = [by](double x) { return x + by; };
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; i++)
        p[i] = sum(p[i]);
}

int main()
{
    int a[50];
    float f[50];
    fill(a, 50, 3);
    fill(f, 50, 0.5f);
    Field field(70);
    field.scale(2);
    std::vector<double> v(30, 1.0);
    add(v, 4);
    for (int i = 0; i < 50; i++) {
        check_int("a", i, a[i], 3 + i);
        check_near("f", i, f[i], 0.5 + i, 0);
    }
    for (int i = 0; i < 70; i++)
        check_near("field", i, field.values[i], 2 * i, 0);
    for (int i = 0; i < 30; i++)
        check_near("v", i, v[i], 5, 0);
    return finish();
}
