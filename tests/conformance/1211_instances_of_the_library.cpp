// Instances of the user's templates with constructs that functions of the standard library alone make.
// flags: -std=c++17
// expect: launches=7
#include "check.h"
#include <algorithm>
#include <memory>
#include <openacc.h>
#include <vector>

template <class T> class Field {
  public:
    explicit Field(int n) : n(n), a(new T[n])
    {
#pragma acc enter data copyin(this[0 : 1]) create(a[0 : n])
        fill(T(1));
    }
    Field(const Field &) = delete;
    ~Field()
    {
#pragma acc exit data delete (a[0 : n]) delete (this[0 : 1])
        delete[] a;
    }
    void fill(T v)
    {
#pragma acc parallel loop present(this[0 : 1], a[0 : n])
        for (int i = 0; i < n; i++)
            a[i] = v + i;
    }
    T sum() const
    {
        T s = 0;
#pragma acc parallel loop present(this[0 : 1], a[0 : n]) reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += a[i];
        return s;
    }
    int n;
    T *a;
};

struct Step {
    virtual ~Step() = default;
    virtual void go(double *p, int n) const = 0;
};

template <int K> struct Add : Step {
    void go(double *p, int n) const override
    {
#pragma acc parallel loop copy(p[0 : n])
        for (int i = 0; i < n; i++)
            p[i] += K;
    }
};

int main()
{
    double *kept;
    {
        std::vector<std::unique_ptr<Field<double>>> fields;
        fields.push_back(std::make_unique<Field<double>>(10));
        fields.emplace_back(new Field<double>(20));
        kept = fields[0]->a;
        check_near("sum", 0, fields[0]->sum(), 55, 0);
        check_near("sum", 1, fields[1]->sum(), 210, 0);
        check_true("present", acc_is_present(kept, 10 * sizeof(double)));
    }
    check_true("absent", !acc_is_present(kept, 10 * sizeof(double)));

    double p[8] = {0};
    std::vector<std::shared_ptr<Step>> steps = {std::make_shared<Add<1>>(), std::make_shared<Add<20>>()};
    steps.push_back(std::make_shared<Add<1>>());
    std::for_each(steps.begin(), steps.end(), [&](auto &step) { step->go(p, 8); });
    check_near("steps", 7, p[7], 22, 0);
    return finish();
}
