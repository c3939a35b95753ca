// Objects whose bytes say nothing on a device, and virtual calls.
#include <vector>

struct Shape {
    virtual int sides() const { return 0; }
};

void f(int n, int *a, Shape &shape)
{
    std::vector<int> v(n);
#pragma omp target map(tofrom: v)
    v[0] = 1;
#pragma omp target map(to: shape) map(a[0:n])
    a[0] = shape.sides();
#pragma omp target data map(to: a[0:n]) use_device_ptr(v)
    a[0] = 1;
}
