// Objects of the library's types that hold nothing and only choose overloads and deduce arguments: lists of indices, truth values.
// flags: -std=c++17
// expect: launches=3
#include "../check.h"
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

/* As libraries of views have it. */
template <size_t N> struct Layout {
    std::array<int, N> strides;
    template <class... Index> int operator()(Index... index) const
    {
        return at(std::index_sequence_for<Index...>{}, index...);
    }
    template <size_t... K, class... Index> int at(std::index_sequence<K...>, Index... index) const
    {
        return ((strides[K] * index) + ...);
    }
};

template <class T, size_t N> struct View {
    T *data;
    Layout<N> layout;
    template <class... Index> T &operator()(Index... index) const { return data[layout(index...)]; }
};

template <class T> T half(T v, std::true_type) { return v / 2; }
template <class T> T half(T v, std::false_type) { return v * T(0.5); }
template <class T> T half(T v) { return half(v, typename std::is_integral<T>::type{}); }

template <int N> int times(int v, std::integral_constant<int, N>) { return v * N; }

struct Marked : std::true_type {
    int v;
};

template <class T, T... I> T sum(const std::integer_sequence<T, I...> &) { return (T(0) + ... + I); }

int main()
{
    double cells[2 * 3 * 5];
    for (int i = 0; i < 30; i++)
        cells[i] = i;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : cells)
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            View<double, 3> view{cells, {{15, 5, 1}}};
            for (int k = 0; k < 5; k++)
                view(i, j, k) += 100 * i + 10 * j;
        }
    for (int i = 0; i < 30; i++)
        check_near("cells", i, cells[i], i + 100 * (i / 15) + 10 * (i / 5 % 3), 0);

    double r[10];
    int k[10];
#pragma omp target teams distribute parallel for map(from : r, k)
    for (int i = 0; i < 10; i++) {
        r[i] = half(double(i)) + half(i);
        std::integral_constant<int, 3> three;
        auto again = three;
        k[i] = times(i, three) + times(i, std::integral_constant<int, 4>()) + times(1, again);
        k[i] += sum(std::make_integer_sequence<int, 5>{});
    }
    for (int i = 0; i < 10; i++) {
        check_near("r", i, r[i], i * 0.5 + i / 2, 0);
        check_int("k", i, k[i], 7 * i + 3 + 10);
    }

    Marked m[4];
    for (int i = 0; i < 4; i++)
        m[i].v = i;
#pragma omp target teams distribute parallel for map(tofrom : m)
    for (int i = 0; i < 4; i++) {
        Marked one = m[i];
        one.v += sizeof(Marked);
        m[i] = one;
    }
    for (int i = 0; i < 4; i++)
        check_int("m", i, m[i].v, i + sizeof(Marked));
    return finish();
}
