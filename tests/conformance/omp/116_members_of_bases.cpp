// Members of base classes in clauses, of the method's own object and of others; what `if constexpr` discards; lambdas that are
// firstprivate; pointers that defaultmap maps and the construct changes.
// expect: launches>=8
#include "../check.h"

#define N 64

class Storage {
protected:
    int *values;
    int size;

public:
    double weight = 2;
    Storage(int *v, int n) : values(v), size(n)
    {
#pragma omp target enter data map(to : this[0 : 1]) map(to : values[0 : size])
    }
    ~Storage()
    {
#pragma omp target exit data map(release : values[0 : size]) map(release : this[0 : 1])
    }
};

class Named {
public:
    int name = 7;
};

class Counter : public Named, public Storage {
public:
    int more = 3;
    Counter(int *v, int n) : Storage(v, n) {}
    void fill()
    {
        int *v = values, n = size;
#pragma omp target map(alloc : v[0 : n])
        for (int i = 0; i < n; i++)
            v[i] = i;
    }
    void add()
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < size; i++)
            values[i] += 1;
    }
    void fetch()
    {
#pragma omp target update from(values[0 : size])
    }
};

struct Plain : Named {
    double part[4] = {1, 2, 3, 4};
};

enum class Op { Add, Mul };

template <Op O, typename T> inline T apply(T a, T b)
{
    if constexpr (O == Op::Add)
        return a + b;
    else
        return a * b;
}

template <Op O, typename T> void combine(T *out, int n)
{
#pragma omp target teams distribute map(tofrom : out[0 : n])
    for (int i = 0; i < n; i++) {
        if constexpr (O == Op::Add) {
#pragma omp parallel for
            for (int j = 0; j < 1; j++)
                out[i] = apply<Op::Add, long long>(out[i], 2);
        } else {
            out[i] = (T)apply<Op::Mul, long long>(out[i], 3);
        }
    }
}

template <typename F> double total(const double *a, int n, F f)
{
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : a[0 : n]) firstprivate(f)
    for (int i = 0; i < n; i++)
        sum += f(a[i]);
    return sum;
}

int main()
{
    int v[N] = {0};
    {
        Counter counter(v, N);
        counter.fill();
        counter.add();
        counter.fetch();
        for (int i = 0; i < N; i++)
            check_int("values", i, v[i], i + 1);
    }
    Plain plain;
#pragma omp target map(tofrom : plain.name, plain.part)
    {
        plain.name += 1;
        plain.part[2] = plain.name;
    }
    check_true("a member of a base", plain.name == 8 && plain.part[2] == 8);

    int out[4] = {1, 2, 3, 4};
    combine<Op::Add, int>(out, 4);
    combine<Op::Mul, int>(out, 4);
    check_true("chosen at compile time", out[0] == 9 && out[3] == 18);

    double a[10], w = 3;
    for (int i = 0; i < 10; i++)
        a[i] = i;
    check_true("a lambda", total(a, 10, [=](double x) { return x + w; }) == 75);

    int data[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *p = v;
#pragma omp target map(tofrom : data) defaultmap(tofrom : pointer)
    {
        p = &data[2];
        p[1] = 33;
    }
    check_true("a pointer that is mapped and changed", data[3] == 33);
#pragma omp target map(tofrom : data) defaultmap(to : pointer)
    {
        p = data;
        p[0] = 44;
    }
    check_true("a pointer that is mapped to the device", data[0] == 44);
    return finish();
}
