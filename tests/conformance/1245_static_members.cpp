// Static members of classes in `declare` and in functions for devices: variables, constants with a value in the class and no
// definition, and those of templates and namespaces.
// expect: launches=4
#include "check.h"

namespace physics {
double gamma = 1.4;
int dims[3] = {1, 2, 3};
#pragma acc declare copyin(gamma, dims)
}

struct Config {
    static int nx;
    static double table[4];
    static const int N = 5;
    static const unsigned char FLAG = 4;
    static constexpr double c = 2.5;
    enum { WIDTH = 3 };
};
int Config::nx = 10;
double Config::table[4] = {1, 2, 3, 4};
#pragma acc declare create(Config::nx, Config::table)

template <class T> struct Unit {
    static const int size = sizeof(T);
    static T value;
};
template <class T> T Unit<T>::value = T(3);

#pragma acc routine seq
double eval(int i)
{
    return physics::gamma * i + physics::dims[i % 3] + Config::nx * Config::table[i % 4] + Config::N + Config::c + Config::FLAG +
           Config::WIDTH;
}

int main()
{
    const int n = 256;
    double a[n];
    Config::nx = 20;
    physics::gamma = 2;
#pragma acc update device(Config::nx, Config::table, physics::gamma)
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < n; i++)
        a[i] = eval(i);
    for (int i = 0; i < n; i++)
        check_near("members", i, a[i], 2 * i + i % 3 + 1 + 20 * (i % 4 + 1) + 5 + 2.5 + 4 + 3, 1e-12);
#pragma acc parallel loop copyout(a) num_gangs(Config::N)
    for (int i = 0; i < n; i++)
        a[i] = Unit<double>::value * Unit<double>::size + Config::N;
    check_near("template", 0, a[n - 1], 29, 0);
#pragma acc parallel loop
    for (int i = 0; i < Config::N; i++) {
#pragma acc atomic
        Config::nx += i;
    }
#pragma acc serial
    Config::table[0] = Config::nx;
#pragma acc update self(Config::nx, Config::table[0:1])
    check_int("updated", 0, Config::nx, 30);
    check_near("updated", 1, Config::table[0], 30, 0);
    return finish();
}
