// C++: members in methods: `this`, values, pointers, arrays, nested objects, `this->v[0:n]` and const methods.
// expect: launches=9
// needs: separate
#include "../check.h"

#pragma omp declare target
static int factor = 3;
#pragma omp end declare target

class Grid {
  public:
    Grid(int n) : n(n), v(new double[n]), offset(0.5)
    {
        for (int i = 0; i < n; i++)
            v[i] = i;
        for (int i = 0; i < 4; i++)
            fixed[i] = i;
    }
    ~Grid() { delete[] v; }
    void scale(double by)
    {
#pragma omp target teams distribute parallel for map(tofrom: this->v[0:n])
        for (int i = 0; i < n; i++)
            this->v[i] *= by;
    }
    void shift()
    {
#pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: offset)
        for (int i = 0; i < n; i++)
            v[i] += offset;
    }
    double sum() const
    {
        double total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total) map(to: v[:n])
        for (int i = 0; i < n; i++)
            total += v[i];
        return total;
    }
    void array()
    {
#pragma omp target map(tofrom: fixed)
        for (int i = 0; i < 4; i++)
            fixed[i] *= 10;
    }
    void object()
    {
#pragma omp target map(tofrom: this[0:1])
        {
            fixed[0] = 7;
            offset += n;
        }
    }
    void with_method()
    {
#pragma omp target teams distribute parallel for map(to: this[:1]) map(tofrom: v[0:n])
        for (int i = 0; i < n; i++)
            v[i] = combined(i);
    }
    double combined(int i) const { return v[i] + offset + factor; }
    void of_the_device()
    {
        // Only the device's copy is written, which is not copied back.
#pragma omp target teams distribute parallel for map(to: v[0:n])
        for (int i = 0; i < n; i++)
            clear(i);
    }
    void clear(int i) { v[i] = 0; }
    void by_rule()
    {
#pragma omp target
        fixed[2] = inner.value + 1;
    }
    struct Inner {
        int value = 41;
    } inner;
    int n;
    double *v;
    double offset;
    int fixed[4];
};
int main()
{
    Grid g(60);
    g.scale(2);
    g.shift();
    check_near("sum", 0, g.sum(), 60 * 59 + 30, 1e-12);
    g.array();
    for (int i = 0; i < 4; i++)
        check_int("fixed", i, g.fixed[i], 10 * i);
    g.object();
    check_int("fixed", 4, g.fixed[0], 7);
    check_near("offset", 0, g.offset, 60.5, 0);
    g.with_method();
    for (int i = 0; i < 60; i++)
        check_near("v", i, g.v[i], 2 * i + 0.5 + 60.5 + 3, 0);
    g.of_the_device();
    check_near("of the device", 0, g.v[7], 14 + 0.5 + 60.5 + 3, 0);
    g.by_rule();
    check_int("fixed", 5, g.fixed[2], 42);
    Grid *p = &g;
#pragma omp target teams distribute parallel for map(tofrom: p->v[0:p->n])
    for (int i = 0; i < p->n; i++)
        p->v[i] = -i;
    check_near("v", 60, g.v[59], -59, 0);
    return finish();
}
