// Classes that functions declare as arguments of templates with constructs.
// expect: launches=6
#include "check.h"
#define N 10

template <class F>
void apply(int n, int *a, F f)
{
#pragma acc parallel loop copy(a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}

template <class T, class Op>
struct Vec {
    T *p;
    int n;
    void go(Op op)
    {
        T *q = p;
        int m = n;
#pragma acc parallel loop copy(q[0 : m])
        for (int i = 0; i < m; i++)
            q[i] = op(q[i]);
    }
};

template <class T>
int total(const T *items, int n)
{
    int sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(items[0 : n])
    for (int i = 0; i < n; i++)
        sum += items[i].first + items[i].second;
    return sum;
}

static void first(int *a)
{
    struct Twice {
        int k;
        explicit Twice(int by) : k(by) {}
        int operator()(int x) const { return x * 2 + k; }
    };
    apply(N, a, Twice(3));
    Vec<int, Twice> v{a, N};
    v.go(Twice(1));
}

// Another class of the same name.
static void second(int *a)
{
    struct Twice {
        int operator()(int x) const { return x * 20; }
    };
    apply(N, a, Twice{});
}

int main()
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
    first(a);
    second(a);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 20 * (4 * i + 7));
    struct Pair {
        int first, second;
    } pairs[N];
    for (int i = 0; i < N; i++)
        pairs[i] = {i, 2 * i};
    check_int("total", 0, total(pairs, N), 3 * N * (N - 1) / 2);
    {
        class Third {
          public:
            int operator()(int x) const { return x / 20; }
        } third;
        apply(N, a, third);
    }
    struct Inner {
        struct Op {
            int operator()(int x) const { return x - 7; }
        };
    };
    apply(N, a, Inner::Op{});
    for (int i = 0; i < N; i++)
        check_int("b", i, a[i], 4 * i);
    return finish();
}
