// Templates with constructs whose parameters are of library types, and whose arguments lie in namespaces and classes: Clang prints
// such parameters without these scopes.
// expect: launches=9
#include "../check.h"
#include <array>
#include <utility>
#include <vector>

namespace grid {
enum class Kind { A = 3, B };
struct Mesh {
    struct Cell {
        double v;
        int k;
    };
};
namespace box {
template <class T> struct Range {
    T low, high;
};
} // namespace box
} // namespace grid

namespace {
struct Cell {
    int v, k;
};
} // namespace

template <class V> double total(const std::vector<V> &cells)
{
    const V *p = cells.data();
    int n = (int)cells.size();
    double sum = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        std::array<V, 2> both{p[i], p[(i + 1) % n]};
        sum += both[0].v * both[1].k;
    }
    return sum;
}

template <class A, class B> int widths(const std::vector<std::pair<A, grid::box::Range<B>>> &all)
{
    auto *p = all.data();
    int n = (int)all.size(), sum = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += (int)p[i].first * (int)(p[i].second.high - p[i].second.low);
    return sum;
}

template <class P> auto second(const std::vector<P> &all) -> decltype(P::second)
{
    auto *p = all.data();
    int n = (int)all.size();
    decltype(P::second) sum{};
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += p[i].second;
    return sum;
}

namespace outside {
template <class T> std::vector<T *> halves(std::vector<T> &all)
{
    T *p = all.data();
    int n = (int)all.size();
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i].v /= 2;
    return {p, p + n / 2};
}
} // namespace outside

template <class V, class F> void each(std::vector<V> &all, F f)
{
    V *p = all.data();
    int n = (int)all.size();
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) f(p[i]);
}

int main()
{
    const int n = 50;
    std::vector<grid::Mesh::Cell> cells(n);
    std::vector<Cell> own(n);
    for (int i = 0; i < n; i++) {
        cells[i] = {i * 0.5, i};
        own[i] = {i, 2};
    }
    double expected = 0;
    for (int i = 0; i < n; i++) expected += i * 0.5 * ((i + 1) % n);
    check_near("cells", 0, total(cells), expected, 1e-12);
    check_near("own", 0, total(own), n * (n - 1), 1e-12);

    std::vector<std::pair<grid::Kind, grid::box::Range<double>>> ranges(n, {grid::Kind::B, {1, 6}});
    std::vector<std::pair<int, grid::box::Range<long>>> numbers(n, {2, {1, 3}});
    check_int("ranges", 0, widths(ranges), 20 * n);
    check_int("numbers", 0, widths(numbers), 4 * n);

    std::vector<std::pair<grid::Kind, long>> kinds(n, {grid::Kind::A, 7});
    std::vector<std::pair<grid::box::Range<int>, float>> floats(n, {{1, 2}, 0.5f});
    check_int("kinds", 0, (int)second(kinds), 7 * n);
    check_near("floats", 0, second(floats), 0.5 * n, 1e-6);

    std::vector<grid::Mesh::Cell *> places = outside::halves(cells);
    check_true("halves", places[1]->v == n / 2 * 0.25);
    double step = 3;
    each(cells, [step](grid::Mesh::Cell &cell) { cell.v += step * cell.k; });
    each(own, [](Cell &cell) { cell.k = 1 - cell.v; });
    for (int i = 0; i < n; i++) {
        check_near("each", i, cells[i].v, 0.25 * i + 3.0 * i, 1e-12);
        check_int("own", i, own[i].k, 1 - i);
    }
    return finish();
}
