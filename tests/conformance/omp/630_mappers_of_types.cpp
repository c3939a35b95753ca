// Mappers of types that several words name: instances of templates, and classes of namespaces.
// expect: launches=4
#include "../check.h"
#include <cstddef>

#define N 40

template <typename T> struct Field {
    T *d;
    std::size_t n;
    T &operator[](std::size_t i) { return d[i]; }
};

namespace one {
struct Pair {
    int *p;
    int n;
};
} // namespace one
namespace two {
struct Pair {
    float *p;
    int n;
};
} // namespace two
using Floats = Field<float>;

#pragma omp declare mapper(deep : Field<double> v) map(v, v.d[0 : v.n])
#pragma omp declare mapper(Field<int> v) map(v, v.d[0 : v.n])
#pragma omp declare mapper(Floats v) map(v, v.d[0 : v.n])
#pragma omp declare mapper(one::Pair v) map(v, v.p[0 : v.n])
#pragma omp declare mapper(two::Pair v) map(v, v.p[0 : v.n])

int main()
{
    double d[N];
    int i4[N], one_s[N];
    float f[N], two_s[N];
    for (int i = 0; i < N; i++) {
        d[i] = i;
        i4[i] = 2 * i;
        f[i] = 3 * i;
        one_s[i] = 4 * i;
        two_s[i] = 5 * i;
    }
    Field<double> doubles{d, N};
    Field<int> ints{i4, N};
    Floats floats{f, N};
    one::Pair a{one_s, N};
    two::Pair b{two_s, N};
#pragma omp target teams distribute parallel for map(mapper(deep), tofrom : doubles)
    for (int i = 0; i < N; i++)
        doubles[i] += 1;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        ints[i] += 1;
#pragma omp target teams distribute parallel for map(tofrom : floats)
    for (int i = 0; i < N; i++)
        floats[i] += 1;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) {
        a.p[i] += 1;
        b.p[i] += 1;
    }
    for (int i = 0; i < N; i++) {
        check_near("doubles", i, d[i], i + 1, 1e-6);
        check_int("ints", i, i4[i], 2 * i + 1);
        check_near("floats", i, f[i], 3 * i + 1, 1e-6);
        check_int("one", i, one_s[i], 4 * i + 1);
        check_near("two", i, two_s[i], 5 * i + 1, 1e-6);
    }
    return finish();
}
