#ifndef GRID_H
#define GRID_H

namespace grid {

struct cell {
    double u, v;
    double sum() const;
    cell &operator+=(const cell &other);
    static double factor;
};

#pragma acc routine seq
double flux(double left, double right);
#pragma acc routine seq
double flux(const cell &left, const cell &right);
#pragma acc routine seq
int flux(int left, int right);

namespace inner {
#pragma acc routine seq
double scale(double x);
extern double offset;
#pragma acc declare copyin(offset)
} // namespace inner

} // namespace grid

extern "C" {
#pragma acc routine seq
int c_function(int i);
}

template <class T>
inline T twice(T x)
{
    return x + x;
}

#endif
