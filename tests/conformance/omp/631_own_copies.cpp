// Objects whose class has a copy constructor and an assignment of its own, which copy each member as the compiler's would:
// declared reductions have values of them for each thread, and `swap` exchanges them.
// expect: launches=3
#include "../check.h"
#include <utility>

#define N 200

struct double2 {
    double x, y;
    double2() : x(0.), y(0.) {}
    double2(const double &x_, const double &y_) : x(x_), y(y_) {}
    double2(const double2 &v) : x(v.x), y(v.y) {}
    double2 &operator=(const double2 &v)
    {
        x = v.x;
        y = v.y;
        return *this;
    }
    double2 &operator+=(const double2 &v)
    {
        x += v.x;
        y += v.y;
        return *this;
    }
};

/* Its copies are not those of the compiler. */
struct Counted {
    int made;
    Counted() : made(0) {}
    Counted(const Counted &other) : made(other.made + 1) {}
};

inline double2 operator*(double s, const double2 &v) { return double2(s * v.x, s * v.y); }

#pragma omp declare reduction(+ : double2 : omp_out += omp_in)

int main()
{
    double2 q[N], total;
    int made[N];
    for (int i = 0; i < N; i++)
        q[i] = double2(i, 1);
#pragma omp target teams distribute parallel for reduction(+ : total) map(tofrom : total)
    for (int i = 0; i < N; i++)
        total += q[i].y * q[i];
    check_near("x", 0, total.x, N * (N - 1) / 2, 1e-6);
    check_near("y", 0, total.y, N, 1e-6);
#pragma omp target teams distribute parallel for map(from : made)
    for (int i = 0; i < N / 2; i++) {
        std::swap(q[2 * i], q[2 * i + 1]);
        Counted first;
        Counted second(first);
        Counted third = second;
        made[i] = third.made;
    }
    for (int i = 0; i < N / 2; i++) {
        check_near("swapped", i, q[2 * i].x, 2 * i + 1, 1e-6);
        check_int("copies", i, made[i], 2);
    }
    return finish();
}
