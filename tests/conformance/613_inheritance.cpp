// A derived class in device memory: members of the base, methods of both, conversion to the base.
// gcc: rejects, routine inside a class
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

struct Shape {
    double scale;
#pragma acc routine seq
    double scaled(double x) const { return scale * x; }
};

struct Rectangle : Shape {
    double width, height;
#pragma acc routine seq
    double area() const { return scaled(width) * scaled(height); }
};

#pragma acc routine seq
static void grow(Shape &shape)
{
    shape.scale += 1.0;
}

int main()
{
    const int n = 71;
    Rectangle r[n];
    double area[n];
    for (int i = 0; i < n; i++) {
        r[i].scale = 1.0 + i % 3;
        r[i].width = i;
        r[i].height = 2.0;
    }
#pragma acc parallel loop copyin(r) copyout(area)
    for (int i = 0; i < n; i++) {
        Rectangle mine = r[i];
        grow(mine);
        area[i] = mine.area();
    }
    for (int i = 0; i < n; i++) {
        double scale = 2.0 + i % 3;
        check_near("area", i, area[i], scale * i * scale * 2.0, 1e-14);
    }
    return finish();
}
