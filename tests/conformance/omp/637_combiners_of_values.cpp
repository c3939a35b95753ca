// Declared reductions whose combiners are functions and operators that return new values.
// expect: launches=6
#include "../check.h"
#include <cmath>

#define N 100

struct V {
    double x, y;
    V operator+(const V &other) const { return {x + other.x, y + other.y}; }
    V operator*(double k) const { return V{x * k, y * k}; }
};

struct Best {
    double value;
    int place;
};

static V made(double a) { return {a, 1}; }
static Best better(const Best &a, const Best &b) { return b.value > a.value ? b : a; }

#pragma omp declare reduction(+ : V : omp_out = omp_out + omp_in) initializer(omp_priv = V{0, 0})
#pragma omp declare reduction(best : Best : omp_out = better(omp_out, omp_in)) \
    initializer(omp_priv = Best{-1e30, -1})

int main()
{
    V sum{0, 0}, of_threads{0, 0};
    Best best{-1e30, -1};
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
    for (int i = 0; i < N; i++)
        sum = sum + made(i) * 2;
#pragma omp target parallel for reduction(+ : of_threads) map(tofrom : of_threads)
    for (int i = 0; i < N; i++)
        of_threads = of_threads + made(i);
#pragma omp target teams distribute parallel for reduction(best : best) map(tofrom : best)
    for (int i = 0; i < N; i++)
        best = better(best, Best{std::sin(i), i});
    check_near("x", 0, sum.x, N * (N - 1), 1e-12);
    check_near("y", 0, sum.y, 2 * N, 1e-12);
    check_near("x", 1, of_threads.x, N * (N - 1) / 2, 1e-12);
    check_near("y", 1, of_threads.y, N, 1e-12);
    check_int("place", 0, best.place, 33);
    return finish();
}
