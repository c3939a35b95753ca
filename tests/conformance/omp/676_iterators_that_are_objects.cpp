// Loops over iterators of classes: over ranges, with steps, falling, in templates, and one in another.
// expect: launches=6
// flags: -std=c++17
#include "../check.h"

#define N 600

template <class T> struct Strided {
    T *p;
    long by;
    T &operator*() const { return *p; }
    Strided &operator++() { return *this += 1; }
    Strided &operator--() { return *this -= 1; }
    Strided &operator+=(long n)
    {
        p += n * by;
        return *this;
    }
    Strided &operator-=(long n) { return *this += -n; }
    long operator-(Strided o) const { return (p - o.p) / by; }
    bool operator!=(Strided o) const { return p != o.p; }
    bool operator<(Strided o) const { return p < o.p; }
    bool operator>=(Strided o) const { return p >= o.p; }
};

template <class T> struct Column {
    T *p;
    long n, by;
    Strided<T> begin() const { return {p, by}; }
    Strided<T> end() const { return {p + n * by, by}; }
};

struct Number {
    int i;
    int operator*() const { return i; }
    Number &operator++()
    {
        i++;
        return *this;
    }
    Number &operator+=(long n)
    {
        i += n;
        return *this;
    }
    int operator-(Number o) const { return i - o.i; }
    bool operator!=(Number o) const { return i != o.i; }
};

struct Numbers {
    int first, past;
    Number begin() const { return {first}; }
    Number end() const { return {past}; }
};

template <class I> static void add(I first, I last, double what, double *p)
{
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N])
    for (I i = first; i != last; ++i)
        p[*i] += what;
}

int main()
{
    double a[N], *p = a, sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
    Column<double> thirds{p, N / 3, 3};
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N]) firstprivate(thirds)
    for (double &v : thirds) {
        if (v == 9)
            continue;
        v += 1000;
    }
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N]) reduction(+ : sum) firstprivate(thirds)
    for (auto i = thirds.begin(); i < thirds.end(); i += 7)
        sum += *i;
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N])
    for (int i : Numbers{1, N - 1})
        p[i] += 0.25;
#pragma omp target teams loop map(tofrom : p[0 : N])
    for (Strided<double> i = Strided<double>{p + N - 1, 1}; i >= Strided<double>{p, 1}; i -= 2)
        *i *= 2;
    add(Number{10}, Number{20}, 0.5, p);
#pragma omp target teams distribute map(tofrom : p[0 : N])
    for (int block : Numbers{0, N / 50}) {
#pragma omp parallel for
        for (int i : Numbers{block * 50, block * 50 + 50})
            p[i] -= 1;
    }
    double expected_sum = 0;
    for (int i = 0; i < N; i++) {
        double v = i;
        if (i % 3 == 0 && i != 9)
            v += 1000;
        if (i % 21 == 0)
            expected_sum += v;
        if (i >= 1 && i < N - 1)
            v += 0.25;
        if (i % 2 == 1)
            v *= 2;
        if (i >= 10 && i < 20)
            v += 0.5;
        check_near("a", i, a[i], v - 1, 1e-9);
    }
    check_near("sum", 0, sum, expected_sum, 1e-6);
    return finish();
}
