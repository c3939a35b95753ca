// Constructs in methods that are given lambdas and name private members: fields, methods, types, constants and a base's protected ones.
// expect: launches=5 fallbacks=0
#include "../check.h"

template <class T> class Storage {
protected:
    T *values;
    long count;

    explicit Storage(int n) : values(new T[n]), count(n) {}
    ~Storage() { delete[] values; }
};

template <class T> class Field : Storage<T> {
    using value_type = T;
    enum Mode { Plain, Shifted };
    static const int Step = 3;
    struct Scale {
        T by;
    };

    Scale scale{2};
    Mode mode = Shifted;

    T squared(T x) const { return x * x; }
    static T half(T x) { return x / 2; }

public:
    explicit Field(int n) : Storage<T>(n)
    {
        for (int i = 0; i < n; i++)
            this->values[i] = i;
#pragma omp target enter data map(to : this->values[0 : n])
    }
    ~Field()
    {
#pragma omp target exit data map(release : this->values[0 : this->count])
    }

    template <class F> void each(F f)
    {
        value_type *v = this->values;
        const int n = this->count;
        const Scale factor = scale;
#pragma omp target teams distribute parallel for map(present, tofrom : v[0 : n])
        for (int i = 0; i < n; i++) {
            value_type x = f(v[i]) + squared(factor.by) + Step;
            v[i] = mode == Shifted ? half(x) : x;
        }
    }
    template <class F> T sum(F f) const
    {
        T s = 0;
        T *v = this->values;
#pragma omp target teams distribute parallel for reduction(+ : s) map(present, to : v[0 : this->count])
        for (int i = 0; i < this->count; i++)
            s += f(v[i]) * scale.by;
        return s;
    }
    template <class F> friend T largest(const Field<T> &field, F f)
    {
        T most = 0;
        T *v = field.values;
        const int n = field.count;
#pragma omp target teams distribute parallel for reduction(max : most) map(present, to : v[0 : n])
        for (int i = 0; i < n; i++)
            most = f(v[i]) > most ? f(v[i]) : most;
        return most;
    }
};

class Counter {
    int n;
    double *bins;
    void clear()
    {
        for (int i = 0; i < 8; i++)
            bins[i] = 0;
    }

public:
    Counter(int n, double *bins) : n(n), bins(bins) { clear(); }
    template <class F> void operator()(F &&bin)
    {
        double *b = bins;
        int last = n;
#pragma omp target teams distribute parallel for map(tofrom : b[0 : 8])
        for (int i = 0; i < last; i++) {
#pragma omp atomic
            b[bin(i)] += 1;
        }
    }
};

int main()
{
    const int n = 1000;
    double k = 3;
    Field<double> field(n);
    field.each([=](double x) { return x * k; });
    double sum = field.sum([](double x) { return x + 1; }), expected = 0;
    double most = largest(field, [=](double x) { return x - k; });
    Field<float> small(10);
    float ten = small.sum([](float x) { return x; });
    for (int i = 0; i < n; i++)
        expected += 2 * ((3.0 * i + 4 + 3) / 2 + 1);
    check_near("sum", 0, sum, expected, 1e-12);
    check_near("most", 0, most, (3.0 * (n - 1) + 7) / 2 - 3, 1e-12);
    check_near("float", 0, ten, 90, 1e-6);
    double bins[8];
    Counter counter(n, bins);
    counter([](int i) { return i % 8; });
    for (int i = 0; i < 8; i++)
        check_near("bin", i, bins[i], n / 8, 0);
    return finish();
}
