// Classes with pointers: arrays of them, one with a base, methods that follow the object's pointers, references, a reference that
// is a member.
// expect: launches=7
// devices: cpu cuda opencl
#include "../check.h"

struct extent {
    int n;
    double *origin;
    double first() const { return origin[0]; }
};

class line : public extent {
    double *values_;
    double &factor_;

  public:
    double total = 0;
    line(int n, double &factor) : extent{n, new double[1]{7.5}}, values_(new double[n]), factor_(factor)
    {
        for (int i = 0; i < n; i++)
            values_[i] = i;
    }
    double &operator[](int i) { return values_[i]; }
    double at(int i) const { return values_[i] * factor_; }
    void add_up()
    {
        total = first();
        for (int i = 0; i < n; i++)
            total += at(i);
    }
};

struct table {
    line **lines;
    int count;
    void scale(double by)
    {
#pragma omp parallel for
        for (int k = 0; k < count; k++)
            for (int i = 0; i < lines[k]->n; i++)
                (*lines[k])[i] *= by;
    }
    double sum() const
    {
        double sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int k = 0; k < count; k++)
            sum += lines[k]->total + lines[k]->first();
        return sum;
    }
};

static double last(const line &l) { return l.at(l.n - 1); }

int main()
{
    const int count = 80;
    double *factor = new double(2);
    table t{new line *[count], count};
    for (int k = 0; k < count; k++)
        t.lines[k] = new line(100 + k, *factor);
    for (int round = 0; round < 2; round++) {
#pragma omp parallel for
        for (int k = 0; k < count; k++)
            t.lines[k]->add_up();
        t.scale(0.5);
        *factor = 4;
    }
    double want = 0;
    for (int k = 0; k < count; k++) {
        int n = 100 + k;
        check_near("total", k, t.lines[k]->total, 7.5 + n * (n - 1.0), 1e-12);
        want += 15 + n * (n - 1.0);
    }
    check_near("sum", 0, t.sum(), want, 1e-12);

    line **lines = t.lines;
    double ends[count];
    auto take = [&](double more) {
#pragma omp parallel for
        for (int k = 0; k < count; k++)
            ends[k] = last(*lines[k]) + more;
    };
    take(1);
#pragma omp parallel for
    for (int k = 0; k < count; k++) {
        line &l = *lines[k];
        l[0] = l.n + ends[k];
    }
    for (int k = 0; k < count; k++) {
        check_near("end", k, ends[k], 0.25 * (99 + k) * 4 + 1, 1e-12);
        check_near("first", k, (*lines[k])[0], 100 + k + ends[k], 1e-12);
    }
    return finish();
}
