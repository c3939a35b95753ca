// flags: -std=c++17
// expect: launches=2
// Function templates whose directives `if constexpr` discards: what follows is not what these govern.
#include "../check.h"
#include <type_traits>

template <class T> void fill(T *x, int n, T start)
{
    if constexpr (std::is_integral<T>::value) {
#pragma omp for
        for (int i = 0; i < n; i++) x[i] = start + i;
    } else {
#pragma omp for schedule(static, 3)
        for (int i = 0; i < n; i++) x[i] = start + i / T(2);
    }
    x += n;
    if constexpr (std::is_integral<T>::value)
#pragma omp single
        x[0] = 7;
    else
#pragma omp single
        x[0] = T(7.5);
}

template <class T> static void run(T *x, int n)
{
#pragma omp target teams num_teams(1) thread_limit(32) map(from : x[ : n + 1])
#pragma omp parallel num_threads(32)
    fill<T>(x, n, 3);
}

int main()
{
    const int n = 100;
    int x[n + 1];
    double y[n + 1];
    run(x, n);
    run(y, n);
    for (int i = 0; i < n; i++) {
        check_near("x", i, x[i], 3 + i, 0);
        check_near("y", i, y[i], 3 + i / 2.0, 0);
    }
    check_near("x", n, x[n], 7, 0);
    check_near("y", n, y[n], 7.5, 0);
    return finish();
}
