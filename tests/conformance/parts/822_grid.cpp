#include "822_grid.h"

namespace {
double hidden = 0.5;
#pragma acc declare copyin(hidden)

double minus(double a, double b)
{
    return a - b;
}
} // namespace

namespace grid {

double cell::factor = 4;
#pragma acc declare copyin(cell::factor)

#pragma acc routine seq
double cell::sum() const
{
    return u + v * factor;
}

#pragma acc routine seq
cell &cell::operator+=(const cell &other)
{
    u += other.u;
    v += other.v;
    return *this;
}

double flux(double left, double right)
{
    if (left > right)
        return minus(left, right) * hidden;
    return minus(right, left);
}

double flux(const cell &left, const cell &right)
{
    return flux(left.u, right.u) + twice(left.v);
}

int flux(int left, int right)
{
    return left * 10 + right;
}

namespace inner {
double offset = 100;

double scale(double x)
{
    return x + offset;
}
} // namespace inner

} // namespace grid

extern "C" int c_function(int i)
{
    return i ^ 5;
}
