// Pairs, tuples and arrays of the library whose elements have copy constructors and assignments of their own.
// expect: launches=5
#include <array>
#include <tuple>
#include <utility>
#include "../check.h"

#define N 30

struct Part {
    int v;
    Part(int v) : v(v) {}
    Part(const Part &other) : v(other.v + 1) {}
    Part &operator=(const Part &other)
    {
        v = other.v + 100;
        return *this;
    }
};

struct Whole {
    int k;
    Part part;
};

struct Derived : Part {
    int k = 3;
    explicit Derived(int v) : Part(v) {}
};

struct Holder {
    std::pair<Part, int> pair;
    std::array<Part, 2> array;
};

static int by_value(std::pair<Part, int> pair) { return pair.first.v * 10 + pair.second; }

int main()
{
    int r[N], s[N];
#pragma omp target teams distribute parallel for map(from: r, s)
    for (int i = 0; i < N; i++) {
        std::pair<Part, int> a(Part(i), 2);
        a.first.v = i;
        std::pair<Part, int> b = a, c(b);
        r[i] = c.first.v * 10 + c.second + 1000 * by_value(a);
        c = a;
        s[i] = c.first.v;
        auto d = std::make_pair(a.first, 4);
        s[i] += 1000 * d.first.v;
        auto [first, second] = a;
        s[i] += 100000 * (first.v + second);
    }
    for (int i = 0; i < N; i++) {
        check_int("pairs constructed", i, r[i], (i + 2) * 10 + 2 + 1000 * ((i + 1) * 10 + 2));
        check_int("pairs assigned", i, s[i], i + 100 + 1000 * (i + 1) + 100000 * (i + 3));
    }

#pragma omp target teams distribute parallel for map(from: r, s)
    for (int i = 0; i < N; i++) {
        Part p(i);
        std::tuple<int, Part, double> a(7, p, 0.5);
        std::tuple<int, Part, double> b = a;
        r[i] = std::get<1>(b).v + 100 * std::get<0>(b);
        b = a;
        s[i] = std::get<1>(b).v;
        int k;
        double x;
        std::tie(k, p, x) = a;
        s[i] += 1000 * (p.v + k);
    }
    for (int i = 0; i < N; i++) {
        check_int("tuples constructed", i, r[i], i + 2 + 700);
        check_int("tuples assigned", i, s[i], i + 1 + 100 + 1000 * (i + 1 + 100 + 7));
    }

#pragma omp target teams distribute parallel for map(from: r, s)
    for (int i = 0; i < N; i++) {
        std::array<Part, 3> a{Part(i), Part(i + 1), Part(i + 2)};
        std::array<Part, 3> b = a;
        r[i] = b[0].v + 100 * b[2].v;
        b = a;
        s[i] = b[1].v;
        std::array<std::pair<Part, int>, 2> c{std::pair<Part, int>(a[0], 1), std::pair<Part, int>(a[1], 2)};
        auto d = c;
        s[i] += 1000 * (d[0].first.v + d[1].first.v + d[1].second);
    }
    for (int i = 0; i < N; i++) {
        check_int("arrays constructed", i, r[i], i + 1 + 100 * (i + 3));
        check_int("arrays assigned", i, s[i], i + 101 + 1000 * (i + 2 + i + 3 + 2));
    }

#pragma omp target teams distribute parallel for map(from: r, s)
    for (int i = 0; i < N; i++) {
        std::pair<Whole, Derived> a(Whole{i, Part(i)}, Derived(i));
        a.first.part.v = a.second.v = i;
        std::pair<Whole, Derived> b = a;
        r[i] = b.first.part.v + 100 * b.second.v + 10000 * (b.second.k + b.first.k);
        b = a;
        s[i] = b.first.part.v + b.second.v;
    }
    for (int i = 0; i < N; i++) {
        check_int("of parts constructed", i, r[i], 101 * (i + 1) + 10000 * (3 + i));
        check_int("of parts assigned", i, s[i], 2 * i + 200);
    }

#pragma omp target teams distribute parallel for map(from: r, s)
    for (int i = 0; i < N; i++) {
        Holder a{{Part(i), 3}, {Part(i), Part(i)}};
        a.pair.first.v = i;
        Holder b = a;
        r[i] = b.pair.first.v + 100 * b.array[1].v + b.pair.second;
        b = a;
        s[i] = b.pair.first.v + b.array[0].v;
    }
    for (int i = 0; i < N; i++) {
        check_int("of members constructed", i, r[i], 101 * (i + 1) + 3);
        check_int("of members assigned", i, s[i], 2 * i + 200);
    }
    return finish();
}
