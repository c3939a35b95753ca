// Algorithms of the standard library and constants of its templates in code for devices, for pointers, arrays, lambdas and function
// objects, in constructs, in functions and in templates.
// flags: -std=c++17
// expect: launches=9
#include "../check.h"
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>

#define ROWS 16
#define N 24

static double median(const double *row)
{
    double sorted[N];
    std::copy(row, row + N, sorted);
    std::sort(sorted, sorted + N);
    return 0.5 * (sorted[N / 2 - 1] + sorted[N / 2]);
}

static void rows()
{
    double a[ROWS][N], sum[ROWS], largest[ROWS], middle[ROWS], dot[ROWS];
    int where[ROWS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 37 + j * 101) % 89;
#pragma omp target teams distribute parallel for map(to : a) map(from : sum, largest, middle, dot, where)
    for (int i = 0; i < ROWS; i++) {
        const double *row = a[i];
        sum[i] = std::accumulate(row, row + N, 0.0);
        where[i] = std::max_element(row, row + N) - row;
        largest[i] = *std::max_element(std::begin(a[i]), std::end(a[i]), std::less<double>());
        middle[i] = median(row);
        dot[i] = std::inner_product(row, row + N, a[(i + 1) % ROWS], 1.0);
    }
    for (int i = 0; i < ROWS; i++) {
        const double *row = a[i];
        check_near("sum", i, sum[i], std::accumulate(row, row + N, 0.0), 1e-12);
        check_int("where", i, where[i], std::max_element(row, row + N) - row);
        check_near("largest", i, largest[i], row[where[i]], 0);
        check_near("middle", i, middle[i], median(row), 0);
        check_near("dot", i, dot[i], std::inner_product(row, row + N, a[(i + 1) % ROWS], 1.0), 1e-12);
    }
}

struct Item {
    int key, place;
};

struct Version {
    int major_part, minor_part;
    double rest;
    bool operator<(const Version &o) const
    {
        return std::tie(major_part, minor_part, rest) < std::tie(o.major_part, o.minor_part, o.rest);
    }
    bool operator==(const Version &o) const { return std::tie(major_part, rest) == std::tie(o.major_part, o.rest); }
};

static void versions()
{
    Version v[N];
    int order[N], same[N];
    for (int i = 0; i < N; i++)
        v[i] = Version{i * 7 % 3, i * 5 % 4, i % 2 * 0.5};
#pragma omp target teams distribute parallel for map(to : v) map(from : order, same)
    for (int i = 0; i < N; i++) {
        order[i] = same[i] = 0;
        for (int k = 0; k < N; k++) {
            order[i] += v[k] < v[i];
            same[i] += v[k] == v[i];
        }
        Version own[N];
        std::copy(v, v + N, own);
        std::sort(own, own + N);
        order[i] += 1000 * (std::lower_bound(own, own + N, v[i]) - own);
    }
    for (int i = 0; i < N; i++) {
        int before = 0, equal = 0;
        for (int k = 0; k < N; k++) {
            before += v[k] < v[i];
            equal += v[k] == v[i];
        }
        check_int("order", i, order[i], 1001 * before);
        check_int("same", i, same[i], equal);
    }
}

static int several(int *t, int i)
{
    using namespace std;
    iota(t, t + N, i);
    transform(t, t + N, t, [i](int x) { return x * x % (i + 5); });
    int found = count_if(t, t + N, [](int x) { return x % 2 == 0; }) * 100;
    reverse(t + 1, t + N - 2);
    replace(t, t + N, 4, 7);
    found += find(t, t + N, 7) - t;
    found += any_of(t, t + N, [](int x) { return x == 3; }) + 2 * all_of(t, t + N, [](int x) { return x >= 0; });
    Item items[N];
    for (int k = 0; k < N; k++)
        items[k] = Item{t[k] % 4, k};
    stable_sort(items, items + N, [](const Item &x, const Item &y) { return x.key < y.key; });
    for (int k = 1; k < N; k++)
        found += 1000 * (items[k - 1].key > items[k].key || (items[k - 1].key == items[k].key && items[k - 1].place > items[k].place));
    sort(t, t + N, greater<int>());
    int different = unique(t, t + N) - t;
    fill(t + different, t + N, -1);
    fill_n(t, 2, 1000);
    sort(t, t + N);
    found += lower_bound(t, t + N, 3) - t + upper_bound(t, t + N, i) - t + binary_search(t, t + N, 1000) + is_sorted(t, t + N);
    for_each(t, t + N, [](int &x) { x++; });
    int sums[N];
    partial_sum(t, t + N, sums);
    swap_ranges(t, t + 5, sums);
    return found + sums[N - 1] + t[4] + gcd(i + 12, 18) + lcm(i + 1, 4) + different + equal(t, t + N, sums);
}

static void functions()
{
    int found[N], t[N];
#pragma omp target teams distribute parallel for map(from : found)
    for (int i = 0; i < N; i++) {
        int own[N];
        found[i] = several(own, i);
    }
    for (int i = 0; i < N; i++)
        check_int("several", i, found[i], several(t, i));
}

template <class T> static double kind(T x)
{
    double result = std::is_same<T, float>::value ? 0.5 : 2;
    if (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        result += 10;
    return result * x + std::numeric_limits<T>::digits + std::numeric_limits<T>::is_signed
        + (std::numeric_limits<T>::is_integer ? double(std::numeric_limits<T>::epsilon()) : 0.25);
}

template <class T> static void constants()
{
    double out[N];
#pragma omp target teams distribute parallel for map(from : out)
    for (int i = 0; i < N; i++) {
        std::array<T, 3> pair{};
        out[i] = kind(T(i)) + (std::is_floating_point<T>::value ? 100 : 200) + pair.size();
    }
    for (int i = 0; i < N; i++)
        check_near("constants", i, out[i], kind(T(i)) + (std::is_floating_point<T>::value ? 100 : 200) + 3, 0);
}

int main()
{
    rows();
    versions();
    functions();
    constants<float>();
    constants<double>();
    constants<int>();
    constants<unsigned char>();
    constants<long>();
    /* The host's own calls. */
    int a[5] = {3, 1, 4, 1, 5};
    std::sort(a, a + 5);
    check_int("sorted", 4, a[4] + std::accumulate(a, a + 5, 0), 19);
    int longest = 0;
#pragma omp target teams distribute parallel for reduction(max : longest) map(to : a)
    for (int i = 0; i < 5; i++)
        longest = std::max(longest, a[i]);
    check_int("longest", 0, longest, 5);
    return finish();
}
