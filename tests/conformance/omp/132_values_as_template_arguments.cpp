// Class and function templates whose arguments are truth values, enumerators with and without a scope, characters and numbers.
// expect: launches=15 fallbacks=0
#include "../check.h"

constexpr bool on = true;
enum class Mode { Fast, Slow };
enum Plain { X, Y };
constexpr Mode chosen = Mode::Slow;
struct Settings {
    enum Kind { K0, K1 };
    static constexpr int width = 3;
};
namespace space {
enum class Side : unsigned char { Left, Right };
template <Side side> struct Sided {
    int x;
    int f() const { return x + int(side); }
};
} // namespace space

template <bool b> struct Signed {
    int x;
    int f() const { return b ? x : -x; }
};
template <char c> struct Letter {
    int x;
    int f() const { return x + c; }
};
template <unsigned u, long l> struct Numbers {
    int x;
    int f() const { return x + u + l; }
};
template <Plain p> struct Enumerated {
    int x;
    int f() const { return x + p; }
};
template <bool b, Mode m, Settings::Kind k, int w = Settings::width> struct Many {
    int x;
    int f() const { return (b ? x : -x) + (m == Mode::Slow ? 10 : 20) + k + w; }
};

template <Mode m, class T> void run(T *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] += m == Mode::Fast ? 1 : 2;
}

template <bool b> struct Runner {
    int n;
    void go(int *a)
    {
        int n = this->n;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
        for (int i = 0; i < n; i++)
            a[i] += b ? 100 : 200;
    }
    template <Mode m> void with(int *a)
    {
        int n = this->n;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
        for (int i = 0; i < n; i++)
            a[i] += int(m) * 1000;
    }
};
template <template <bool> class R> void both(int *a, int n)
{
    R<true> yes{n};
    R<false> no{n};
    yes.go(a);
    no.go(a);
}

#define CHECK(expected, ...)                                                                                           \
    {                                                                                                                  \
        __VA_ARGS__ object{5};                                                                                         \
        int result = 0;                                                                                                \
        _Pragma("omp target map(from : result) map(to : object)")                                                      \
        {                                                                                                              \
            __VA_ARGS__ copy = object;                                                                                 \
            result = copy.f();                                                                                         \
        }                                                                                                              \
        check_near(#__VA_ARGS__, 0, result, expected, 0);                                                              \
    }

int main()
{
    CHECK(5, Signed<true>)
    CHECK(-5, Signed<!on>)
    CHECK(102, Letter<'a'>)
    CHECK(15, Letter<'\n'>)
    CHECK(6, Enumerated<Y>)
    CHECK(6, space::Sided<space::Side::Right>)
    CHECK(19, Many<on, chosen, Settings::K1>)
    CHECK(22, Many<!on, Mode::Fast, Settings::K0, 7>)

    int a[10] = {0};
    run<Mode::Fast>(a, 10);
    run<chosen, int>(a, 10);
    Runner<true>{10}.go(a);
    Runner<!on> runner{10};
    runner.go(a);
    runner.with<Mode::Slow>(a);
    both<Runner>(a, 10);
    for (int i = 0; i < 10; i++)
        check_near("a", i, a[i], 3 + 300 + 1000 + 300, 0);
    return finish();
}
