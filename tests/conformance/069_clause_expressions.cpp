// What C and C++ permit in the expressions of clauses: sizes of types by any name, casts, constants, calls.
// expect: launches=18
#include "check.h"
#include <cstddef>

struct rec {
    int v;
    double w;
};
typedef rec *recp;
typedef short bool_like;
namespace ns {
struct inner {
    char c[12];
};
typedef inner other;
constexpr int k = 3;
enum class color { red = 2 };
} // namespace ns
enum { COUNT = 10 };

constexpr int twice(int x) { return 2 * x; }
static int half_of(int x) { return x / 2; }

template <class T, int N> static void fill(long bytes, T *a)
{
#pragma acc parallel loop copy(a[0 : bytes / sizeof(T)])
    for (int i = 0; i < N; i++)
        a[i] = T(i);
#pragma acc parallel loop copy(a[0 : static_cast<std::size_t>(N)])
    for (int i = 0; i < N; i++)
        a[i] += T(1);
}

template <class T> struct holder {
    typedef T value_type;
    T *p;
    void add(int bytes)
    {
#pragma acc parallel loop copy(p[0 : bytes / sizeof(value_type)])
        for (int i = 0; i < 5; i++)
            p[i] += 1;
    }
};

int main()
{
    rec r[COUNT];
    double d[20];
    unsigned char *raw = (unsigned char *)d;
    int n = 20;
    using local = double;
    for (int i = 0; i < n; i++)
        d[i] = 0;

#pragma acc parallel loop copy(r[0 : sizeof(r) / sizeof(rec)])
    for (int i = 0; i < COUNT; i++)
        r[i].v = i;
#pragma acc parallel loop copy(d[0 : (std::size_t)n]) if (n > (int)sizeof(ns::inner))
    for (int i = 0; i < n; i++)
        d[i] += 1;
#pragma acc parallel loop copy(d[0 : twice(COUNT)])
    for (int i = 0; i < n; i++)
        d[i] += 1;
#pragma acc parallel loop copy(d[0 : half_of(40)])
    for (int i = 0; i < n; i++)
        d[i] += 1;
#pragma acc parallel loop copy(raw[0 : 20 * sizeof(local)])
    for (int i = 0; i < n; i++)
        ((double *)raw)[i] += 1;
#pragma acc parallel loop copy(d[0 : n > 5 ? n : 5]) num_gangs(ns::k) vector_length(sizeof(recp) * 4) \
    num_workers((int)ns::color::red)
    for (int i = 0; i < n; i++)
        d[i] += 1;
#pragma acc parallel loop copy(d[0 : sizeof d / sizeof *d]) async(sizeof(struct rec) > 4)
    for (int i = 0; i < n; i++)
        d[i] += 1;
#pragma acc wait
#pragma acc parallel loop copy(d[0 : sizeof(ns::other) + 8])
    for (int i = 0; i < n; i++)
        d[i] += 1;
#pragma acc parallel loop copy(d[0 : (bool_like)20])
    for (int i = 0; i < n; i++)
        d[i] += 1;
#pragma acc parallel loop copy(d[0 : int{20}]) if (true && !false)
    for (int i = 0; i < n; i++)
        d[i] += 1;
#pragma acc parallel loop copy(d[0 : sizeof(double[20]) / sizeof(double)]) if (alignof(double) == 8)
    for (int i = 0; i < n; i++)
        d[i] += 1;
#pragma acc parallel loop copy(d[0 : sizeof(double(*)[3]) + 12]) if ('a' < 'b')
    for (int i = 0; i < n; i++)
        d[i] += 1;
    // 276 as a character is 20.
#pragma acc parallel loop copy(d[0 : (unsigned char)276])
    for (int i = 0; i < n; i++)
        d[i] += 1;
    for (int i = 0; i < n; i++)
        check_near("d", i, d[i], 12, 0);
    for (int i = 0; i < COUNT; i++)
        check_int("r", i, r[i].v, i);

    float f[10];
    fill<float, 10>(40, f);
    holder<float> h = {f};
    h.add(20);
    for (int i = 0; i < 10; i++)
        check_near("f", i, f[i], i + 1 + (i < 5), 0);
    int small[10];
    fill<int, 10>(40, small);
    for (int i = 0; i < 10; i++)
        check_int("small", i, small[i], i + 1);
    return finish();
}
