// flags: -std=c++17
// expect: launches=1
// Functions whose results are named by the library's traits and by aliases, and one that is given a message it leaves alone.
#include "../check.h"
#include <type_traits>

template <class T> struct Traits {
    using reference = T &;
};

static inline void refuse(const char *message) { (void)message; }

template <class T> struct View {
    T *data;
    long size;
    template <class I>
    typename std::enable_if<std::is_integral<I>::value, typename Traits<T>::reference>::type operator()(const I &i) const
    {
        if (i >= size) refuse("out of bounds");
        return data[i];
    }
    template <class I> std::enable_if_t<std::is_integral<I>::value, T> get(const I &i) const { return data[i]; }
};

template <class T> using reference_to = typename Traits<T>::reference;
template <class T> reference_to<T> first(T *p) { return *p; }

int main()
{
    double x[9] = {};
    View<double> view{x, 9};
#pragma omp target teams distribute parallel for map(to : view) map(tofrom : view.data[ : 9])
    for (int i = 0; i < 9; i++) {
        view(i) = i;
        view(i) += view.get(i);
        first(view.data + i) *= 2;
    }
    for (int i = 0; i < 9; i++) check_near("x", i, x[i], 4.0 * i, 0);
    return finish();
}
