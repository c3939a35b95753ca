// A class template with a fixed array as member, passed by value into kernels; operator[] and
// operator() in the region.
// gcc: rejects, routine inside a class
// expect: launches=2 uploads=3 downloads=2
#include "check.h"

template <typename T, int N>
struct Small {
    T v[N];
#pragma acc routine seq
    T &operator[](int i) { return v[i]; }
#pragma acc routine seq
    const T &operator[](int i) const { return v[i]; }
#pragma acc routine seq
    T dot(const Small &o) const
    {
        T sum = T(0);
        for (int i = 0; i < N; i++)
            sum += v[i] * o[i];
        return sum;
    }
};

struct Affine {
    double slope, offset;
#pragma acc routine seq
    double operator()(double x) const { return slope * x + offset; }
};

template <typename V>
static void project(int n, V *a, V axis)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++) {
        auto length = a[i].dot(axis);
        for (int k = 0; k < 3; k++)
            a[i][k] = length * axis[k];
    }
}

int main()
{
    const int n = 83;
    Small<float, 3> a[n], axis = {{1.0f, -2.0f, 0.5f}};
    double b[n];
    Affine line{0.5, -3.0};
    for (int i = 0; i < n; i++) {
        a[i] = {{float(i), 2.0f, float(i % 5)}};
        b[i] = i;
    }
    project(n, a, axis);
#pragma acc parallel loop copy(b)
    for (int i = 0; i < n; i++)
        b[i] = line(b[i]);
    for (int i = 0; i < n; i++) {
        float length = i - 4.0f + 0.5f * (i % 5);
        for (int k = 0; k < 3; k++)
            check_near("a", i * 3 + k, a[i][k], length * axis[k], 1e-6);
        check_near("b", i, b[i], 0.5 * i - 3.0, 0.0);
    }
    return finish();
}
