// Routines that take and return structures by value, and change one through a pointer.
// expect: launches=1 uploads=2 downloads=1
#include "check.h"

#define N 250

typedef struct {
    double x, y, z;
} vec;

#pragma acc routine seq
static vec cross(vec a, vec b)
{
    vec c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

#pragma acc routine seq
static double dot(const vec a, const vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

#pragma acc routine seq
static void scale(vec *a, double factor)
{
    a->x *= factor;
    a->y *= factor;
    a->z *= factor;
}

static vec direction(int i)
{
    vec v = {1.0 + i % 7, i % 3 - 1.0, 0.25 * (i % 11)};
    return v;
}

int main(void)
{
    vec v[N];
    for (int i = 0; i < N; i++)
        v[i] = direction(i);
    vec axis = {0.5, -1.0, 2.0};
#pragma acc parallel loop copy(v)
    for (int i = 0; i < N; i++) {
        vec side = cross(v[i], axis);
        scale(&side, 3.0);
        v[i] = side;
        v[i].z += dot(axis, side);
    }
    for (int i = 0; i < N; i++) {
        vec a = direction(i), c = cross(a, axis);
        check_near("x", i, v[i].x, 3.0 * c.x, 1e-15);
        check_near("y", i, v[i].y, 3.0 * c.y, 1e-15);
        check_near("z", i, v[i].z, 3.0 * c.z, 1e-12);
    }
    return finish();
}
