// flags: -std=c++17
// expect: launches=1
// Members whose types leave arguments of templates to their defaults, one of which names another parameter.
#include "../check.h"

struct Left {};
struct Dimension {
    long first;
};
template <class T> struct Plus {
    T by;
    T operator()(T t) const { return t + by; }
};

// The default is told before the definition.
template <class D, class Layout, class Enable = void> struct Offset;
template <class D, class Layout, class Enable> struct Offset {
    D dimension;
    long operator()(long i) const { return i + dimension.first; }
};

template <class T> struct Map {
    using offset_type = Offset<Dimension, Left>;
    T *data;
    offset_type offset;
    T &at(long i) const { return data[offset(i)]; }
};

template <class T, int N = 3, class Operation = Plus<T>> struct Small {
    T a[N];
    Operation operation;
    T get(int i) const { return operation(a[i % N]); }
};

struct Holder {
    Small<double> small;
    Map<double> map;
};

int main()
{
    double x[10] = {};
    Holder holder = {{{1, 2, 3}, {4}}, {x, {{1}}}};
#pragma omp target teams distribute parallel for map(to : holder) map(tofrom : holder.map.data[ : 10])
    for (int i = 0; i < 9; i++) holder.map.at(i) = holder.small.get(i);
    for (int i = 1; i < 10; i++) check_near("x", i, x[i], (i - 1) % 3 + 5, 0);
    return finish();
}
