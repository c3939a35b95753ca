// expect: launches=2
// Names with template arguments in clauses and in `routine`, values of dependent types, and a string with a prefix in `bind`.

#include "check.h"

#define N 100

template <class T> struct Sizes {
    typedef T Count;
    static const int lanes = 64;
};

namespace shapes {
template <class T> T square(T x)
{
    return x * x;
}
}
#pragma acc routine(shapes::square<float>) seq

#pragma acc routine seq
extern "C" int two_more(int i)
{
    return i + 2;
}

#pragma acc routine seq bind(u8"two_more")
int more(int i)
{
    return i + 1;
}

template <class T> void fill(T *a, int n)
{
#pragma acc parallel loop copyout(a[typename Sizes<T>::Count{} : n]) num_gangs(typename Sizes<T>::Count{8}) \
    vector_length(Sizes<T>::lanes)
    for (int i = 0; i < n; i++)
        a[i] = more(i);
}

int main()
{
    int a[N];
    float b[N];
    fill<int>(a, N);
#pragma acc parallel loop copyout(b)
    for (int i = 0; i < N; i++)
        b[i] = shapes::square<float>(i);
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], i + 2);
        check_near("b", i, b[i], (double)i * i, 0);
    }
    return finish();
}
