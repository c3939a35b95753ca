// Objects that put themselves and their arrays on the device, handed to templates by reference: members are reached through the
// reference's name, in clauses and in operators.
// expect: launches=4
#include "check.h"

template <typename T> class Grid {
public:
    int nx, ny;
    T *data;
    Grid(int nx_, int ny_) : nx(nx_), ny(ny_), data(new T[nx_ * ny_]())
    {
#pragma acc enter data copyin(this[0 : 1])
#pragma acc enter data copyin(data[0 : nx * ny])
    }
    ~Grid()
    {
#pragma acc exit data delete(data[0 : nx * ny])
#pragma acc exit data delete(this[0 : 1])
        delete[] data;
    }
    T &operator()(int i, int j) { return data[j * nx + i]; }
    const T &operator()(int i, int j) const { return data[j * nx + i]; }
    void to_host()
    {
#pragma acc update self(data[0 : nx * ny])
    }
    void to_device()
    {
#pragma acc update device(data[0 : nx * ny])
    }
};

template <typename T> static T relax(Grid<T> &u, Grid<T> &v, const T omega)
{
    T most = 0;
    const int nx = u.nx, ny = u.ny;
#pragma acc parallel loop collapse(2) reduction(max : most) present(u, v)
    for (int j = 1; j < ny - 1; j++)
        for (int i = 1; i < nx - 1; i++) {
            T mean = (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1)) * T(0.25);
            v(i, j) = u(i, j) + omega * (mean - u(i, j));
            most = most > v(i, j) ? most : v(i, j);
        }
#pragma acc parallel loop collapse(2) present(u, v)
    for (int j = 1; j < ny - 1; j++)
        for (int i = 1; i < nx - 1; i++)
            u(i, j) = v(i, j);
    return most;
}

template <typename T> static void check(const char *what)
{
    const int nx = 24, ny = 12;
    Grid<T> u(nx, ny), v(nx, ny);
    for (int i = 0; i < nx; i++)
        u(i, 0) = i;
    u.to_device();
    T most = relax(u, v, T(0.5));
    u.to_host();
    for (int i = 1; i < nx - 1; i++)
        check_near(what, i, u(i, 1), 0.125 * i, 0);
    check_near("most", 0, most, 0.125 * (nx - 2), 0);
}

int main()
{
    check<double>("double");
    check<float>("float");
    return finish();
}
