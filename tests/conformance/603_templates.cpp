// Regions in function templates, instantiated for several types and constants; template routines.
// expect: launches=4 uploads=4 downloads=4
#include "check.h"

#pragma acc routine seq
template <typename T>
static T square(T x)
{
    return x * x;
}

template <typename T, int Power>
static void raise(int n, T *a)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++) {
        T r = 1;
        for (int k = 0; k < Power; k++)
            r *= a[i];
        a[i] = r + square(a[i]);
    }
}

template <typename T>
static void check(const char *what, int power)
{
    T a[40];
    for (int i = 0; i < 40; i++)
        a[i] = static_cast<T>(i % 9) / 2;
    if (power == 2)
        raise<T, 2>(40, a);
    else
        raise<T, 3>(40, a);
    for (int i = 0; i < 40; i++) {
        T x = static_cast<T>(i % 9) / 2;
        check_near(what, i, a[i], (power == 2 ? x * x : x * x * x) + x * x, 1e-6);
    }
}

int main()
{
    check<int>("int", 2);
    check<float>("float", 3);
    check<double>("double", 2);
    check<long>("long", 3);
    return finish();
}
