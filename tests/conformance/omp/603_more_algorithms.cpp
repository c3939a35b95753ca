// Algorithms of the library that change, copy or compare, and that end early.
// expect: launches=2
#include <algorithm>
#include <numeric>
#include "../check.h"

#define N 32
#define M 8

// Two functions: only calls in code for devices are not the library's.
#define COMPUTE(name) \
static void name(int *rows, int *found, const int *start, int i) \
{ \
    int *row = rows + i * M; \
    auto extremes = std::minmax(start[i], start[(i + 5) % N]); \
    found[i] = extremes.second - extremes.first; \
    std::rotate(row, row + i % M, row + M); \
    found[i] += std::lexicographical_compare(row, row + 2, start, start + 2) ? 100 : 0; \
    found[i] += std::all_of(row, row + M, [](int x) { return x < 200; }) ? 1000 : 0; \
    found[i] += std::any_of(row, row + M, [i](int x) { return x == 3 * i; }) ? 2000 : 0; \
    found[i] += std::none_of(row, row + M, [](int x) { return x == 77; }) ? 4000 : 0; \
    found[i] += std::equal(row, row + 3, start + i % 4) ? 8000 : 0; \
    found[i] += (int)(std::is_sorted_until(row, row + M) - row) * 10000; \
    found[i] += (int)(std::adjacent_find(row, row + M) - row) * 100000; \
    int kept[M], turned[M]; \
    int *end = std::copy_if(row, row + M, kept, [](int x) { return x % 2 == 0; }); \
    std::reverse_copy(row, row + M, turned); \
    std::adjacent_difference(turned, turned + M, turned); \
    std::replace_if(row, row + M, [](int x) { return x > 100; }, -1); \
    row[0] += std::accumulate(kept, end, 0); \
    row[1] = turned[1] - turned[M - 1]; \
}

COMPUTE(compute)
COMPUTE(compute_serially)

int main()
{
    static int rows[N * M], serial_rows[N * M];
    int start[N], found[N], serial_found[N];
    for (int i = 0; i < N; i++)
        start[i] = i * 11 % N;
    for (int k = 0; k < N * M; k++)
        rows[k] = serial_rows[k] = k * 7 % 97 + k / 40 * 3;
#pragma omp target teams distribute parallel for map(tofrom: rows) map(to: start) map(from: found)
    for (int i = 0; i < N; i++)
        compute(rows, found, start, i);
    for (int i = 0; i < N; i++)
        compute_serially(serial_rows, serial_found, start, i);
    for (int i = 0; i < N; i++)
        check_int("found", i, found[i], serial_found[i]);
    for (int k = 0; k < N * M; k++)
        check_int("rows", k, rows[k], serial_rows[k]);

    int least = 0, most = 0;
#pragma omp target map(tofrom: least, most) map(to: start)
    {
        auto [low, high] = std::minmax(start[3], start[2]);
        least = low;
        most = high;
    }
    check_int("least", 0, least, 1);
    check_int("most", 0, most, 22);
    return finish();
}
