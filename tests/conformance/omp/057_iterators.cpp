// Loops over ranges and over iterators that are objects (OpenMP 5.2 §4.4.1), and reductions of objects.
// expect: launches=5
#include "../check.h"

#pragma omp declare target
template <class T> struct Cursor {
    T *at;
    explicit Cursor(T *p) : at(p) {}
    T &operator*() const { return *at; }
    Cursor &operator++()
    {
        ++at;
        return *this;
    }
    Cursor &operator+=(long n)
    {
        at += n;
        return *this;
    }
    long operator-(const Cursor &other) const { return at - other.at; }
    bool operator<(const Cursor &other) const { return at < other.at; }
};
struct Point {
    double x, y;
    Point() : x(0), y(0) {}
    Point(double a, double b) : x(a), y(b) {}
    Point operator+(const Point &o) const { return Point(x + o.x, y + o.y); }
};
#pragma omp end declare target
#pragma omp declare reduction(add : Point : omp_out = omp_out + omp_in) initializer(omp_priv = Point())

class Counter {
    int count;

public:
    Counter() : count(0) {}
    int share(int *a, int n)
    {
        int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) reduction(+ : sum)
        for (int i = 0; i < n; i++) {
            a[i] += 1;
            sum += a[i];
        }
        count += sum;
        return count;
    }
};

int main()
{
    int a[100];
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (Cursor<int> i = Cursor<int>(a); i < Cursor<int>(a + 100); ++i)
        *i = 5;
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int &x : a)
        x += 1;
    for (int i = 0; i < 100; i++)
        check_int("over a range", i, a[i], 6);
    Counter counter;
    check_int("in a method", 0, counter.share(a, 100), 700);

    Point p(1, 2);
#pragma omp target teams distribute parallel for reduction(add : p) map(tofrom: p)
    for (int i = 0; i < 1000; i++) {
        p.x += i;
        p.y += 1;
    }
    check_near("sum of points", 0, p.x, 499501, 0);
    check_near("sum of points", 1, p.y, 1002, 0);
    return finish();
}
