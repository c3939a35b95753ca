// Constructs in functions whose parameters are `auto`, and in templates with concepts.
// flags: -std=c++20
// expect: launches=5
#include "../check.h"
#include <concepts>

#define N 30

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

void add(auto *p, int by)
{
#pragma omp target teams distribute parallel for map(tofrom : p[:N])
    for (int i = 0; i < N; i++)
        p[i] += by;
}

auto scaled(Number auto *p, std::integral auto by)
{
#pragma omp target teams distribute parallel for map(tofrom : p[:N])
    for (int i = 0; i < N; i++)
        p[i] *= by;
    return p[1];
}

template <Number T>
T sum(const T *p)
{
    T total{};
#pragma omp target teams distribute parallel for map(to : p[:N]) reduction(+ : total)
    for (int i = 0; i < N; i++)
        total += p[i];
    return total;
}

int main()
{
    double x[N];
    int k[N];
    for (int i = 0; i < N; i++)
        x[i] = k[i] = i;
    add(x, 2);
    add(k, 3);
    check_near("scaled", 0, scaled(x, 2L), 6, 1e-12);
    check_int("scaled", 1, scaled(k, 3), 12);
    check_near("sum", 0, sum(x), N * (N - 1) + 4 * N, 1e-9);
    for (int i = 0; i < N; i++)
        check_int("k", i, k[i], 3 * (i + 3));
    return finish();
}
