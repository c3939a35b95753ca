// declare mapper of classes; a mapper that names another one; a mapper declared in a function.
// expect: launches=2 uploads=7 downloads=9
// devices: cpu cuda
// needs: separate
#include "../check.h"
#include <omp.h>

class Inner {
public:
    int a;
    double *b;
};
#pragma omp declare mapper(of_inner : Inner s) map(to : s.a) map(tofrom : s.b[0 : 2])

class Outer {
public:
    int e;
    Inner f;
    short *g;
    int h;
    double twice(int i) const { return f.b[i] * 2; }
};
#pragma omp declare mapper(default : Outer r) map(from : r.e) map(mapper(of_inner), tofrom : r.f) map(tofrom : r.g[0 : r.h])

namespace shapes {
struct Line {
    float *points;
};
} // namespace shapes

int main()
{
    double x[2] = {10, 20};
    short y[4] = {1, 2, 3, 4};
    Outer s;
    s.e = 111;
    s.f.a = 222;
    s.f.b = x;
    s.g = y;
    s.h = 4;
    Outer *sp = &s;
    int a = 0, g = 0;
#pragma omp target map(tofrom : sp[0]) map(from : a, g)
    {
        a = sp[0].f.a;
        g = sp[0].g[1];
        sp[0].e = 333;
        sp[0].f.a = 444;
        sp[0].f.b[1] = 40;
        sp[0].g[1] = 50;
    }
    check_int("a", 0, a, 222);
    check_int("g", 0, g, 2);
    check_int("e comes back", 0, s.e, 333);
    check_int("a does not", 0, s.f.a, 222);
    check_near("b", 1, x[1], 40, 0);
    check_int("g", 1, y[1], 50);
    check_true("pointers stay", s.f.b == x && s.g == y);

    using shapes::Line;
#pragma omp declare mapper(Line l) map(l, l.points[0 : 8])
    float points[3][8];
    Line lines[3];
    for (int i = 0; i < 3; i++) {
        lines[i].points = points[i];
        for (int j = 0; j < 8; j++)
            points[i][j] = static_cast<float>(i * 10 + j);
    }
#pragma omp target data map(tofrom : lines[1 : 2])
    {
#pragma omp target teams distribute parallel for
        for (int i = 1; i < 3; i++)
            for (int j = 0; j < 8; j++)
                lines[i].points[j] += 100;
    }
    check_near("points", 7, points[2][7], 127, 0);
    check_near("points", 6, points[0][6], 6, 0);
    return finish();
}
