// The variable of a parallel loop is given to templates by forwarding reference, which hand it on to lambdas, function objects,
// constructors and one another, and only read it. A variable that is changed on the way is none of a parallel loop.
// flags: -std=c++17
// expect: launches=5
#include "../check.h"
#include <functional>
#include <utility>

#define N 64

template <class F, class... A> auto call(F f, A &&...a) { return f(std::forward<A>(a)...); }

template <class... I> int at(const int *p, I &&...i)
{
    int k = 0;
    ((k = 8 * k + i), ...);
    return p[k];
}

template <class I> auto next(I &&i) { return std::pair<int, int>(i, i + 1); }

struct Times {
    int factor;
    int operator()(int &x) const { return x * factor; }
};

struct Shifted {
    int value;
    template <class I> Shifted(I &&i) : value(i + 1) {}
};

template <class F, class A> void change(F f, A &&a) { f(std::forward<A>(a)); }

namespace own {
int &forward(int &x)
{
    x += 2;
    return x;
}
}

int main()
{
    int table[64], a[N], b[N], c[N], skipped[N], forwarded[N];
    for (int i = 0; i < N; i++) {
        table[i] = 3 * i;
        skipped[i] = forwarded[i] = 0;
    }
#pragma omp target teams distribute parallel for map(from : a)
    for (int i = 0; i < N; i++)
        a[i] = std::multiplies<>{}(i, 2) + call([](int x, int y) { return x * y; }, i, 3);
#pragma omp target teams distribute parallel for map(from : b) map(to : table)
    for (int i = 0; i < N; i++)
        b[i] = at(table, i / 8, i & 7) + next(i).second + Times{5}(i) + Shifted(i).value;
#pragma omp target teams distribute parallel for map(from : c)
    for (int i = 0; i < N; i++) {
        auto twice = [](auto &&x) { return 2 * x; };
        int own = i;
        auto add = [&own](auto &&...x) { return (x + ...) + own; };
        own++;
        c[i] = twice(i) + add(i, 1, 2);
    }
#pragma omp target map(tofrom : skipped)
    for (int i = 0; i < N; i++) {
        skipped[i] = 1;
        change([](int &x) { x++; }, i);
    }
#pragma omp target map(tofrom : forwarded)
    for (int i = 0; i < N; i++) {
        forwarded[i] = 1;
        own::forward(i);
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], 5 * i);
        check_int("b", i, b[i], 3 * i + i + 1 + 5 * i + i + 1);
        check_int("c", i, c[i], 2 * i + i + 3 + i + 1);
        check_int("skipped", i, skipped[i], i % 2 == 0);
        check_int("forwarded", i, forwarded[i], i % 3 == 0);
    }
    return finish();
}
