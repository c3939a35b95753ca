// Types in instances of function templates whose arguments have other names in the function, behind pointers and within one another.
// expect: launches=6
#include "../check.h"
#include <stdlib.h>

namespace geometry {
template <typename T, int D>
struct Vec {
    T v[D];
    T &operator[](int i) { return v[i]; }
    const T &operator[](int i) const { return v[i]; }
};
}

template <typename T>
struct Complex {
    T re, im;
};

template <typename T>
struct Pair {
    Complex<T> first;
    T second;
};

template <typename T, int D, bool Twice>
static void instance()
{
    const int n = 40;
    using Point = geometry::Vec<T, D>;
    constexpr int E = D + 1;
    geometry::Vec<T, D> *a = (geometry::Vec<T, D> *)malloc(n * sizeof(Point));
    Pair<T> *p = new Pair<T>[n];
    Pair<T> *same = p;
    geometry::Vec<Complex<T>, E> weights;
    geometry::Vec<Complex<T>, E> *w = &weights;
    for (int k = 0; k < E; k++)
        weights[k].re = k;
    for (int i = 0; i < n; i++) {
        p[i].first.re = p[i].second = i;
        for (int k = 0; k < D; k++)
            a[i][k] = i + k;
    }

#pragma omp target teams distribute parallel for map(tofrom: a[0:n], p[0:n]) map(to: w[0:1])
    for (int i = 0; i < n; i++) {
        geometry::Vec<T, D> point = a[i];
        point[1] *= Twice ? 2 : 3;
        a[i] = point;
        Pair<T> pair = p[i];
        pair.first.im = pair.second + w[0][D].re;
        p[i] = pair;
        Pair<T> *own = &p[i];
        own->second += 1;
    }
#pragma omp target teams distribute parallel for map(tofrom: same[0:n])
    for (int i = 0; i < n; i++) {
        Complex<T> *inner = &same[i].first;
        inner->re += 1;
    }

    for (int i = 0; i < n; i++) {
        check_int("a", i, (int)a[i][1], (i + 1) * (Twice ? 2 : 3));
        check_int("im", i, (int)p[i].first.im, i + D);
        check_int("re", i, (int)p[i].first.re, i + 1);
        check_int("second", i, (int)p[i].second, i + 1);
    }
    free(a);
    delete[] p;
}

int main()
{
    instance<float, 2, true>();
    instance<double, 3, false>();
    instance<int, 5, true>();
    return finish();
}
