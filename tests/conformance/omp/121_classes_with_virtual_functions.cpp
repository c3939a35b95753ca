// Classes with virtual functions: their objects begin with a pointer to a table, bases' too. Members in clauses and constructs, whole
// objects, arrays of them; a call whose object is a variable needs no table.
// expect: launches=5
#include "../check.h"

class Shape {
public:
    double *p;
    long n;
    int x;
    Shape(int n) : n(n), x(1)
    {
        p = new double[n];
        for (int i = 0; i < n; i++)
            p[i] = i;
    }
    virtual ~Shape() { delete[] p; }
    virtual double area(int i) const { return p[i]; }
    double twice(int i) const { return 2 * p[i]; }
    void run()
    {
#pragma omp target teams distribute parallel for map(to : this[0 : 1]) map(tofrom : p[ : n])
        for (int i = 0; i < n; i++)
            p[i] = twice(i) + x;
    }
};

class Square : public Shape {
public:
    long y;
    Square(int n) : Shape(n), y(5) {}
    double area(int i) const override { return 3 * p[i]; }
    void scale()
    {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
        for (int i = 0; i < n; i++)
            p[i] = p[i] * y + x;
    }
};

struct Named {
    long k = 4;
    virtual int of() { return (int)k; }
};
struct Other {
    long z = 6;
};
struct Two : Named, Other {
    long w = 7;
    int of() override { return 2; }
};

int main()
{
    Square square(100);
    square.run();
    square.scale();
    for (int i = 0; i < 100; i++)
        check_true("members", square.p[i] == (2 * i + 1) * 5 + 1);
    Shape *shape = &square;
    check_true("the table is the host's", shape->area(3) == 3 * 36);

    Shape shapes[3] = {Shape(2), Shape(3), Shape(4)};
    int lengths[3];
#pragma omp target map(tofrom : shapes) map(from : lengths)
    for (int i = 0; i < 3; i++) {
        lengths[i] = (int)shapes[i].n;
        shapes[i].x = i;
    }
    shape = &shapes[2];
    check_true("an array", lengths[0] == 2 && lengths[2] == 4 && shapes[2].x == 2 && shape->area(1) == 1);

    Two two;
    long sum = 0, own = 0;
#pragma omp target map(tofrom : two) map(from : sum)
    {
        two.k++;
        two.z++;
        sum = two.k * 100 + two.z * 10 + two.w;
    }
    check_true("two bases", sum == 577 && two.k == 5 && two.z == 7 && ((Named *)&two)->of() == 2);
#pragma omp target map(to : two) map(from : own)
    {
        Named local;
        local.k = 9;
        own = local.of() + 10 * two.of();
    }
    check_true("calls", own == 29);
    return finish();
}
