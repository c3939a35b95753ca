// flags: -std=c++17
// Templates with parameter packs whose bodies hold constructs.
#include "check.h"

#define N 50

template <class T>
inline double total(T last)
{
    return last;
}

template <class T, class... Rest>
inline double total(T first, Rest... rest)
{
    return first + total(rest...);
}

// Pointers to each array.
template <class... T>
void doubled(int n, T *...list)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        ((list[i] *= 2), ...);
}

// Values, and how many they are.
template <class T, class... Values>
T sum(int n, const T *a, Values... values)
{
    T result = 0;
#pragma acc parallel loop reduction(+ : result) copyin(a[0 : n])
    for (int i = 0; i < n; i++)
        result += a[i] * (values + ...) + total(a[i], values...) + sizeof...(Values);
    return result;
}

// Numbers.
template <int... Weights>
int weighted(int n)
{
    int result = 0;
#pragma acc parallel loop reduction(+ : result)
    for (int i = 0; i < n; i++) {
        const int weights[] = {Weights...};
        int power = 1;
        for (int w : weights) {
            result += w * power;
            power *= i % 3;
        }
    }
    return result;
}

// A lambda that takes what stands behind it.
template <class Body, class... Args>
void each(int n, Body body, Args... args)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        body(i, args...);
}

template <class Body, class... Args>
void twice(int n, Body body, Args &&...args)
{
    each(n, body, args...);
    each(n, body, args...);
}

template <class... T>
struct Pack {
    static double run(const double *a)
    {
        double result = 0;
#pragma acc parallel loop reduction(+ : result) copyin(a[0 : N])
        for (int i = 0; i < N; i++)
            result += total(static_cast<T>(a[i])...);
        return result;
    }
};

int main(void)
{
    double a[N], b[N];
    int c[N];
    for (int i = 0; i < N; i++) {
        a[i] = i + 0.5;
        b[i] = c[i] = i;
    }
#pragma acc data copy(a, b, c)
    {
        doubled(N, a);
        doubled(N, a, b, c);
        each(N, [](int i, double *to) { to[i] += 1; }, (double *)b);
        twice(N, [](int i, double *to, const int *from, double k) { to[i] += k * from[i]; }, (double *)b, (int *)c, 0.5);
        each(N, [=](int i) { (void)i; });
    }
    for (int i = 0; i < N; i++) {
        check_near("a", i, a[i], 4 * i + 2, 0);
        check_near("b", i, b[i], 2 * i + 1 + 2 * i, 0);
        check_int("c", i, c[i], 2 * i);
    }
    double want = 0, of_types = 0;
    int of_numbers = 0;
    for (int i = 0; i < N; i++) {
        want += a[i] * 3.5 + (a[i] + 3.5) + 2;
        of_types += a[i] + (int)a[i] + (float)a[i];
        of_numbers += 3 + 5 * (i % 3) + 7 * (i % 3) * (i % 3);
    }
    check_near("values", 0, sum(N, a, 1, 2.5), want, 1e-12);
    check_int("numbers", 0, weighted<3, 5, 7>(N), of_numbers);
    check_near("types", 0, Pack<double, int, float>::run(a), of_types, 1e-12);
    return finish();
}
