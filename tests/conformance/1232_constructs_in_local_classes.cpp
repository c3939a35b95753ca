// Methods of classes that functions declare have constructs of their own: in functions, methods, templates, lambdas, and classes in
// such classes.
// expect: launches=11
#include "check.h"
#define N 40

static int outer(int *a)
{
    struct Local {
        int f, *p;
        void go(int n)
        {
#pragma acc parallel loop copy(p[0 : n])
            for (int i = 0; i < n; i++)
                p[i] = f * p[i] + 1;
        }
    } local = {3, a};
    local.go(N);
#pragma acc parallel loop copy(a[0 : N])
    for (int i = 0; i < N; i++)
        a[i] *= 2;
    return a[N - 1];
}

class Holder {
    int *q;

  public:
    explicit Holder(int *p) : q(p) {}
    void run()
    {
        struct Add {
            int k;
            explicit Add(int x) : k(x) {}
#pragma acc routine seq
            int operator()(int x) const { return x + k; }
            void all(int *p)
            {
#pragma acc parallel loop copy(p[0 : N])
                for (int i = 0; i < N; i++)
                    p[i] = (*this)(p[i]);
            }
        };
        Add ten(10), hundred(100);
        ten.all(q);
        int *p = q;
#pragma acc parallel loop copy(p[0 : N])
        for (int i = 0; i < N; i++)
            p[i] = hundred(p[i]);
    }
};

template <class T>
static void in_template(T *a)
{
    struct S {
        T off;
        void go(T *p)
        {
            T o = off;
#pragma acc parallel loop copy(p[0 : N])
            for (int i = 0; i < N; i++)
                p[i] += o;
        }
    } s;
    s.off = T(2.5);
    s.go(a);
}

int main()
{
    int p[N];
    double d[N] = {0};
    for (int i = 0; i < N; i++)
        p[i] = i;
    check_int("outer", 0, outer(p), 236);
    Holder(p).run();
    for (int i = 0; i < N; i++)
        check_int("holder", i, p[i], 6 * i + 112);
    in_template(d);
    in_template(p);
    check_near("template", 3, d[3], 2.5, 0);
    check_int("template", 3, p[3], 132);

    struct Here {
        struct Part {
            int k;
            static int twice(int x) { return 2 * x; }
            void go(int *p)
            {
                int own = k;
#pragma acc parallel loop copy(p[0 : N])
                for (int i = 0; i < N; i++)
                    p[i] = twice(p[i]) + own;
            }
        } part;
        int sum(int *p)
        {
            int s = 0;
#pragma acc data copyin(p[0 : N])
            {
#pragma acc parallel loop reduction(+ : s)
                for (int i = 0; i < N; i++)
                    s += p[i];
#pragma acc update device(p[0 : N])
            }
            struct Deep {
                int z;
                int go(int *p)
                {
                    int s = z;
#pragma acc parallel loop reduction(+ : s) copyin(p[0 : N])
                    for (int i = 0; i < N; i++)
                        s += p[i];
                    return s;
                }
            } deep = {5};
            return s + deep.go(p);
        }
    } here;
    for (int i = 0; i < N; i++)
        p[i] = i;
    here.part.k = 1;
    here.part.go(p);
    check_int("part", 4, p[4], 9);
    check_int("sum", 0, here.sum(p), 2 * (2 * 780 + N) + 5);
#pragma acc parallel loop copy(p)
    for (int i = 0; i < N; i++)
        p[i] = Here::Part::twice(p[i]);
    check_int("twice", 4, p[4], 18);

    auto lambda = [&](int add) {
        struct In {
            int a;
            void go(int *p)
            {
                int v = a;
#pragma acc parallel loop copy(p[0 : N])
                for (int i = 0; i < N; i++)
                    p[i] += v;
            }
        } in = {add};
        in.go(p);
    };
    lambda(3);
    check_int("lambda", 4, p[4], 21);
    return finish();
}
