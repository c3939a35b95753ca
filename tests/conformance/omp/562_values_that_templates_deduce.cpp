// Templates that deduce values whose type is not `int`, for which clang has spellings of their own where references and pointers
// lead to the class: `const Vec<float, 3UL> &`, `const Tag<(E)1U> *`.
// flags: -std=c++17
// expect: launches=3
#include "../check.h"
#include <array>
#include <cstddef>
#include <cstdint>

template <class T, size_t N> struct Vec {
    T v[N];
};

template <class T, size_t N> Vec<T, N> operator+(Vec<T, N> a, const Vec<T, N> &b)
{
    for (size_t i = 0; i < N; i++)
        a.v[i] += b.v[i];
    return a;
}

template <class T, size_t N> T sum(const Vec<T, N> *p)
{
    T s{};
    for (size_t i = 0; i < N; i++)
        s += p->v[i];
    return s;
}

template <size_t N, class T> void scale(T by, Vec<Vec<T, N>, 2> &pair)
{
    for (auto &row : pair.v)
        for (T &x : row.v)
            x *= by;
}

template <class T, size_t N> T norm(const std::array<T, N> &a)
{
    T s{};
    for (size_t i = 0; i < N; i++)
        s += a[i] * a[i];
    return s;
}

namespace kinds {
enum Sign { negative = -1, none, positive };
enum class Size : uint16_t { small, large = 60000 };
}

template <kinds::Sign S, kinds::Size Z, unsigned U, long L, char C, bool B> struct Tag {
    int v;
};

template <kinds::Sign S, kinds::Size Z, unsigned U, long L, char C, bool B> int told(const Tag<S, Z, U, L, C, B> &t)
{
    return t.v * (S == kinds::negative ? -1 : 1) + int(Z) + int(U) + int(L) + C + B;
}

template <class T, size_t N> void add(Vec<T, N> *rows, const Vec<T, N> *more, int n)
{
#pragma omp target teams distribute parallel for map(tofrom : rows[ : n]) map(to : more[ : n])
    for (int i = 0; i < n; i++)
        rows[i] = rows[i] + more[i];
}

int main()
{
    float r[10];
#pragma omp target teams distribute parallel for map(from : r)
    for (int i = 0; i < 10; i++) {
        Vec<float, 3> a = {{1, 2, float(i)}};
        Vec<Vec<float, 3>, 2> pair = {{a, a + a}};
        scale(2.0f, pair);
        Vec<float, 3> both = pair.v[0] + pair.v[1];
        std::array<float, 2> more = {float(i), 1};
        r[i] = sum(&both) + norm(more);
    }
    for (int i = 0; i < 10; i++)
        check_near("r", i, r[i], 6 * (3 + i) + i * i + 1, 0);

    int k[4];
#pragma omp target map(from : k)
    {
        Tag<kinds::negative, kinds::Size::large, 3, -4, 'c', true> a = {7};
        Tag<kinds::positive, kinds::Size::small, 0, 1L << 40, '\0', false> b = {1};
        k[0] = told(a);
        k[1] = told(b);
    }
    check_int("k", 0, k[0], -7 + 60000 + 3 - 4 + 'c' + 1);
    check_int("k", 1, k[1], 1);

    Vec<double, 4> rows[8], more[8];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++) {
            rows[i].v[j] = i;
            more[i].v[j] = j;
        }
    add(rows, more, 8);
    for (int i = 0; i < 8; i++)
        check_near("rows", i, rows[i].v[3], i + 3, 0);
    return finish();
}
