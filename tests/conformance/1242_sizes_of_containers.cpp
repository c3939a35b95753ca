// How many elements a container of the host has, in constructs: the host is asked when it launches the kernels.
// expect: launches=11
#include "check.h"
#include <string>
#include <vector>

class Grid {
    std::vector<double> values;
    std::vector<int> cells;
    std::string name;

  public:
    explicit Grid(int n) : values(n), cells(n / 2), name("abc") {}
    size_t size() const { return values.size(); }
    int number_of_cells() const { return (int)cells.size(); }
    void fill()
    {
        double *p = values.data();
#pragma acc parallel loop copyout(p [0:size()]) default(none)
        for (size_t i = 0; i < size(); i++)
            p[i] = i + number_of_cells() + name.size();
    }
    double sum() const
    {
        double s = 0;
        const double *p = values.data();
#pragma acc parallel loop reduction(+ : s) copyin(p [0:values.size()])
        for (size_t i = 0; i < values.size(); i++)
            s += p[i];
        return s;
    }
};

template <class T> T total(const std::vector<T> &v, const T *p)
{
    T s = 0;
#pragma acc parallel loop reduction(+ : s) copyin(p [0:v.size()])
    for (int i = 0; i < (int)v.size(); i++)
        s += p[i] * (v.empty() ? 2 : 1);
    return s;
}

static void by_pointer(std::vector<int> &a, std::vector<int> *b)
{
    int *p = a.data(), *q = b->data();
#pragma acc kernels copy(p [0:a.size()]) copyin(q [0:b->size()])
    {
        for (size_t i = 0; i < a.size(); i++)
            p[i] = q[i];
        for (size_t i = 1; i < b->size() - 1; i++)
            p[i] += q[i - 1] + q[i + 1];
    }
}

// The size may be another one each time that the construct is met.
static void changing()
{
    std::vector<int> v;
    int expected = 0, got = 0;
    for (int n = 1; n < 4; n++) {
        v.push_back(n);
        v.push_back(n);
        expected += 2 * n;
        int count = 0;
#pragma acc parallel loop reduction(+ : count)
        for (size_t i = 0; i < v.size(); i++)
            count++;
        got += count;
    }
    check_int("changing", 0, got, expected);
}

int main()
{
    Grid grid(100);
    grid.fill();
    check_near("members", 0, grid.sum(), 99 * 50 + 53 * 100, 1e-12);
    std::vector<int> a(50, 1), b(50);
    for (int i = 0; i < 50; i++)
        b[i] = i;
    by_pointer(a, &b);
    for (int i = 1; i < 49; i++)
        check_int("by pointer", i, a[i], 3 * i);
    a.resize(40), b.resize(40);
    by_pointer(a, &b);
    check_int("fewer", 39, a[39], 39);
    std::vector<float> f(9, 3);
    check_int("template", 0, total(b, b.data()), 39 * 20);
    check_near("template", 1, total(f, f.data()), 27, 0);
    changing();
    return finish();
}
