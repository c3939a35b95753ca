// Members of a base class and static members defined outside of their class, in constructs of methods and functions; a bound that
// is a member of an object whose method the loop calls; a class that is defined behind the template that is given it;
// objects of the device that are made by code of the program's.
// expect: launches=6
#include "../check.h"

class base {
public:
    base(int n) : n(n), d(new int[n])
    {
        int *p = d;
#pragma omp target enter data map(alloc: p[0:n])
    }
    ~base()
    {
        int *p = d;
#pragma omp target exit data map(delete: p[0:n])
        delete[] d;
    }
    int n, *d;
};

class derived : public base {
public:
    derived(int n) : base(n), extra(5) {}
    void fill()
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            d[i] = i + extra;
    }
    int extra;
};

namespace units {
struct counter {
    static int step;
};
} // namespace units
int units::counter::step = 2;

struct grid {
    int nx, ny;
    double *d;
    double &operator()(int i, int j) { return d[i * ny + j]; }
};

template <typename T, typename Op>
T sum_of(const T *x, int n, Op op)
{
    T r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r) map(to: x[0:n])
    for (int i = 0; i < n; i++)
        r += op(x[i]);
    return r;
}

/* Defined behind the template that is given it. */
struct square {
    static char brace() { return '}'; }
    float operator()(float v) const { return v * v; }
};

static int two() { return 2; }
struct made {
    made() : value(two()) {}
    int value;
};
made of_device;
#pragma omp declare target(of_device)
#pragma omp declare target
int computed = two() + 3;
#pragma omp end declare target

int main(void)
{
    derived object(100);
    object.fill();
    int *d = object.d, total = 0, q = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
    for (int i = 0; i < 100; i++)
        total += d[i];
    check_int("members of a base class", 0, total, 4950 + 500);
#pragma omp target map(from: q)
    q = units::counter::step + 1;
    check_int("a static member", 0, q, 3);
    double values[12];
    grid g = {3, 4, values};
    double *v = values;
#pragma omp target teams distribute parallel for collapse(2) map(to: g) map(from: g.d[0:12])
    for (int i = 0; i < g.nx; i++)
        for (int j = 0; j < g.ny; j++)
            g(i, j) = i - j;
    check_near("a bound of the object at hand", 0, v[11], -1, 0);
#pragma omp target map(from: q)
    q = of_device.value * 10 + computed;
    check_int("objects that code makes", 0, q, 25);
    float x[3] = {1, 2, 3};
    check_near("a class behind its template", 0, sum_of(x, 3, square()), 14, 0);
    return finish();
}
