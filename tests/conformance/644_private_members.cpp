// Constructs outside of a class that use its private and protected members through methods: operators, members of a second base
// class, of the elements of a template, references, arrays, members of members.
// expect: launches=8
#include "check.h"

class Field {
    double *values;
    int n;

public:
    explicit Field(int n) : values(new double[n]), n(n)
    {
#pragma acc enter data copyin(this[0:1]) create(values[0:n])
    }
    ~Field()
    {
#pragma acc exit data delete(values[0:n], this[0:1])
        delete[] values;
    }
    double &operator[](int i) { return values[i]; }
    const double &operator()(int i) const { return values[i]; }
    int size() const { return n; }
    void fetch()
    {
#pragma acc update self(values[0:n])
    }
    void add(const Field &other)
    {
#pragma acc parallel loop present(this, other)
        for (int i = 0; i < n; i++)
            values[i] += other.values[i];
    }
};

static void scale(Field &a, const Field &b, double factor)
{
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < a.size(); i++)
        a[i] = factor * b(i) + i;
}

class First {
    long words[3];

public:
    First() : words{1, 2, 3} {}
    long word(int i) const { return words[i]; }
};

class Second {
    int padding;
    double *own;

protected:
    float *shared;
    int n;

public:
    explicit Second(int n) : padding(7), own(new double[n]), shared(new float[n]), n(n)
    {
        for (int i = 0; i < n; i++) {
            own[i] = i;
            shared[i] = 2 * i;
        }
    }
    ~Second()
    {
        delete[] own;
        delete[] shared;
    }
    void enter()
    {
#pragma acc enter data copyin(own[0:n], shared[0:n])
    }
    void leave()
    {
#pragma acc exit data copyout(own[0:n], shared[0:n])
    }
    double &at(int i) { return own[i]; }
    float shared_at(int i) const { return shared[i]; }
    int size() const { return n; }
};

class Derived : public First, public Second {
    struct Inner {
        double g;
        int h;
    };
    double &outside;
    int half;
    Inner inner;

public:
    Derived(int n, double &outside) : Second(n), outside(outside), half(n / 2), inner{2.5, 7} {}
    /* The protected member by its name, the private one of the base class through its method. */
    void run()
    {
#pragma acc parallel loop present(shared)
        for (int i = 0; i < size(); i++)
            shared[i] = shared[i] + 1 + at(i);
    }
    int count() const { return half; }
    double weight() const { return inner.g * inner.h; }
    double reference() const { return outside; }
};

template <class T> class Stack {
    T *items;
    int n;

public:
    explicit Stack(int n) : items(new T[n]), n(n) {}
    ~Stack() { delete[] items; }
    T &operator[](int i) { return items[i]; }
    const T &operator[](int i) const { return items[i]; }
    int size() const { return n; }
    T *data() { return items; }
};

template <class T> static void sum(Stack<T> &a, const Stack<T> &b)
{
#pragma acc parallel loop
    for (int i = 0; i < a.size(); i++)
        a[i] += b[i];
}

int main()
{
    Field a(100), b(100);
#pragma acc parallel loop present(b)
    for (int i = 0; i < b.size(); i++)
        b[i] = i * 0.5;
    scale(a, b, 2);
    a.add(b);
    a.fetch();
    for (int i = 0; i < 100; i++)
        check_near("a", i, a[i], 2.5 * i, 0);

    double four = 4;
    Derived d(50, four);
    d.enter();
    d.run();
    double total = 0;
#pragma acc parallel loop reduction(+ : total)
    for (int i = 0; i < d.count(); i++)
        total += d.at(i) + d.shared_at(i) + d.word(i % 3);
    check_near("total", 0, total, 4 * 300 + 25 + 49, 0);
    double weights = 0;
#pragma acc parallel loop reduction(+ : weights)
    for (int i = 0; i < d.count(); i++)
        weights += d.weight();
    check_near("weights", 0, weights, 25 * 17.5, 0);
    double references = 0;
#pragma acc parallel loop reduction(+ : references)
    for (int i = 0; i < 10; i++)
        references += d.reference();
    check_near("references", 0, references, 40, 0);
    d.leave();

    Stack<float> s(20), t(20);
    for (int i = 0; i < 20; i++) {
        s[i] = i;
        t[i] = 2 * i;
    }
    float *ps = s.data(), *pt = t.data();
#pragma acc data copy(ps[0:20]) copyin(pt[0:20])
    sum(s, t);
    for (int i = 0; i < 20; i++)
        check_near("stack", i, s[i], 3 * i, 0);
    return finish();
}
