// flags: -std=c++17
// expect: launches=1
// A member that points to elements whose type only traits name: a kernel had stepped over them by bytes.
#include "../check.h"

template <class T> struct Traits {
    using value_type = T;
};
template <class Of> struct Handle {
    using value_type = typename Of::value_type;
    using type = value_type *;
};
template <class Of> struct Map {
    using handle_type = typename Handle<Of>::type;
    handle_type data;
    typename Handle<Of>::value_type &at(long i) const { return data[i]; }
};

int main()
{
    double x[10] = {};
    Map<Traits<double>> map = {x};
#pragma omp target teams distribute parallel for map(to : map) map(tofrom : map.data[ : 10])
    for (int i = 0; i < 10; i++) map.at(i) = 2 * i;
    for (int i = 0; i < 10; i++) check_near("x", i, x[i], 2 * i, 0);
    return finish();
}
