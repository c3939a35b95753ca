// Functions that are given the variable of a parallel loop by reference, and only read it: of the library, of the program, and
// templates that take whatever they are given.
// expect: launches=3
#include "../check.h"
#include <utility>

#define N 200

static int twice(int &n) { return 2 * n; }

template <class T> static double half(T &&n)
{
    return n * 0.5;
}

int main()
{
    std::pair<int, double> *pairs = new std::pair<int, double>[N];
    int *values = new int[N];
    double *halves = new double[N];
#pragma omp target teams distribute parallel for map(from : pairs[0 : N])
    for (int i = 0; i < N; i++)
        pairs[i] = std::make_pair(i, i * 0.25);
#pragma omp target teams distribute parallel for map(from : values[0 : N], halves[0 : N])
    for (int i = 0; i < N; i++) {
        values[i] = twice(i);
        halves[i] = half(i);
    }
#pragma omp target parallel for map(tofrom : values[0 : N])
    for (int i = 0; i < N; i++) {
        int copy = i;
        values[i] += twice(copy);
    }
    for (int i = 0; i < N; i++) {
        check_int("first", i, pairs[i].first, i);
        check_near("second", i, pairs[i].second, i * 0.25, 0);
        check_int("values", i, values[i], 4 * i);
        check_near("halves", i, halves[i], i * 0.5, 0);
    }
    delete[] pairs;
    delete[] values;
    delete[] halves;
    return finish();
}
