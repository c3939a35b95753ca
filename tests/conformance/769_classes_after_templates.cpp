// Templates whose instances name classes that are declared after them; base classes that know the class that they are a part of,
// empty ones among them.
// expect: launches=6
#include "check.h"

template <class T> T sum_of(T a, T b)
{
    T sum = a;
    sum = sum + b;
    return sum;
}

template <class T> struct Box {
    T value;
    T twice() const { return value + value; }
};

template <class D> struct Shape {
    int id = 1;
    double area() const { return static_cast<const D &>(*this).own_area() * id; }
    D &self() { return *static_cast<D *>(this); }
};

template <class D> struct Nothing {
    double area() const { return static_cast<const D *>(this)->own_area(); }
};

namespace
{
struct Point {
    double x, y;
    Point operator+(const Point &other) const { return {x + other.x, y + other.y}; }
};
} // namespace

namespace shapes
{
struct Circle : Shape<Circle> {
    double r;
    Circle(double r) : r(r) {}
    double own_area() const { return 3.0 * r * r; }
    void grow() { r += 1; }
};
struct Square : Nothing<Square> {
    double a;
    double own_area() const { return a * a; }
};
struct Tag {
};
struct Both : Tag, Shape<Both> {
    double v;
    double own_area() const { return v + id; }
};
} // namespace shapes

template <class S> static double total(S *shapes, int n)
{
    double sum = 0;
#pragma acc parallel loop copyin(shapes[0:n]) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        S one = shapes[i];
        sum += one.area() + shapes[i].area();
    }
    return sum;
}

int main()
{
    Point points[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    double lengths[4] = {1, 2, 3, 4};
#pragma acc parallel loop copy(points, lengths)
    for (int i = 0; i < 4; i++) {
        Box<Point> box{points[i]};
        points[i] = sum_of(points[i], box.twice());
        lengths[i] = sum_of(lengths[i], Box<double>{2}.twice());
    }
    for (int i = 0; i < 4; i++) {
        check_near("x", i, points[i].x, 3 * (2 * i + 1), 0);
        check_near("y", i, points[i].y, 3 * (2 * i + 2), 0);
        check_near("length", i, lengths[i], i + 5, 0);
    }

    shapes::Circle circles[3] = {1, 2, 3};
    shapes::Square squares[3];
    shapes::Both both[2];
    for (int i = 0; i < 3; i++)
        squares[i].a = i + 1;
    both[0].v = 5;
    both[1].v = 6;
    both[1].id = 2;
    check_near("circles", 0, total(circles, 3), 84, 0);
    check_near("squares", 0, total(squares, 3), 28, 0);
    check_near("both", 0, total(both, 2), 44, 0);
#pragma acc parallel loop copy(circles)
    for (int i = 0; i < 3; i++)
        circles[i].self().grow();
#pragma acc parallel loop copyin(circles) copyout(lengths)
    for (int i = 0; i < 3; i++)
        lengths[i] = circles[i].r;
    for (int i = 0; i < 3; i++)
        check_near("grown", i, lengths[i], i + 2, 0);
    return finish();
}
