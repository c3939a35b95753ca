// Functions and operators that a class defines as its friends.
// expect: launches=1
#include "check.h"

namespace geometry {
class Vec {
    double x, y;
public:
    Vec() : x(0), y(0) {}
    Vec(double x_, double y_) : x(x_), y(y_) {}
    Vec operator-() const { return Vec(-x, -y); }
    friend Vec operator+(const Vec &a, const Vec &b) { return Vec(a.x + b.x, a.y + b.y); }
    friend Vec operator*(double k, const Vec &a) { return Vec(k * a.x, k * a.y); }
    friend double dot(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y; }
};
}

int main()
{
    const int n = 64;
    geometry::Vec v[n];
    double out[n];
    for (int i = 0; i < n; i++)
        v[i] = geometry::Vec(i, 2 - i);
#pragma acc parallel loop copy(v) copyout(out)
    for (int i = 0; i < n; i++) {
        v[i] = -(v[i] + 0.5 * geometry::Vec(1, 2));
        out[i] = dot(v[i], v[i]);
    }
    for (int i = 0; i < n; i++)
        check_near("out", i, out[i], (i + 0.5) * (i + 0.5) + (3.0 - i) * (3.0 - i), 1e-14);
    return finish();
}
