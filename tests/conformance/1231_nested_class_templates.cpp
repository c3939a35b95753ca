// Class templates in class templates, of two and three levels: their methods are defined inside and outside of the classes and may
// be templates themselves; arguments are enumerators and defaults; they stand in explicit and partial specialisations, beside packs,
// and in namespaces.
// expect: launches=16
#include "check.h"
#define N 40

enum Kind { LOW, HIGH };

template <class T>
struct Outer {
    template <Kind K, class U = T>
    struct Middle {
        template <int M>
        struct Inner {
            T t;
            U u;
            Inner(T t, U u) : t(t), u(u) {}
            void add(int *p)
            {
                T a = t;
                U b = u;
#pragma acc parallel loop copy(p[0 : N])
                for (int i = 0; i < N; i++)
                    p[i] += M * (int)a + (int)b + K;
            }
            template <class V, int W>
            V most(const int *p, V v);
            static int sum(int *p)
            {
                int s = 0;
#pragma acc parallel loop copyin(p[0 : N]) reduction(+ : s)
                for (int i = 0; i < N; i++)
                    s += p[i] * M;
                return s;
            }
        };
        void fill(int *p)
        {
#pragma acc parallel loop copyout(p[0 : N])
            for (int i = 0; i < N; i++)
                p[i] = i * K;
        }
        int bytes(int *p);
    };
    struct Plain {
        T value;
        void scale(T *p);
    };
};

template <class T>
template <Kind K, class U>
int Outer<T>::Middle<K, U>::bytes(int *p)
{
    int s = 0;
#pragma acc parallel loop copyin(p[0 : N]) reduction(+ : s)
    for (int i = 0; i < N; i++)
        s += p[i] * (int)sizeof(U);
    return s;
}

template <class T>
template <Kind K, class U>
template <int M>
template <class V, int W>
V Outer<T>::Middle<K, U>::Inner<M>::most(const int *p, V v)
{
#pragma acc parallel loop copyin(p[0 : N]) reduction(max : v)
    for (int i = 0; i < N; i++)
        v = v > p[i] * W ? v : p[i] * W;
    return v;
}

template <class T>
void Outer<T>::Plain::scale(T *p)
{
    T v = value;
#pragma acc parallel loop copy(p[0 : N])
    for (int i = 0; i < N; i++)
        p[i] *= v * (T)sizeof(T);
}

template <>
struct Outer<char> {
    template <class W>
    struct Less {
        W w;
        void go(W *p)
        {
            W v = w;
#pragma acc parallel loop copy(p[0 : N])
            for (int i = 0; i < N; i++)
                p[i] -= v;
        }
    };
};

template <class T>
struct Part;
template <class T>
struct Part<T *> {
    T value;
    void add(T *p);
};
template <class T>
void Part<T *>::add(T *p)
{
    T v = value;
#pragma acc parallel loop copy(p[0 : N])
    for (int i = 0; i < N; i++)
        p[i] += v * (T)sizeof(T);
}

namespace space {
template <class T>
class Whole {
    template <int S>
    class Step {
        T *data;

      public:
        explicit Step(T *p) : data(p) {}
        void run()
        {
            T *q = data;
#pragma acc kernels loop independent copy(q[0 : N])
            for (int i = 0; i < N; i++)
                q[i] += S;
        }
    };

  public:
    void all(T *p)
    {
        Step<1>(p).run();
        Step<20>(p).run();
    }
};
} // namespace space

int main()
{
    int p[N];
    for (int i = 0; i < N; i++)
        p[i] = i;
    Outer<int>::Middle<HIGH>::Inner<3> a(2, 5);
    a.add(p);
    for (int i = 0; i < N; i++)
        check_int("a", i, p[i], i + 12);
    Outer<double>::Middle<LOW, float>::Inner<2> b(3, 4);
    b.add(p);
    for (int i = 0; i < N; i++)
        check_int("b", i, p[i], i + 22);
    check_int("most", 0, a.most<long, 4>(p, 0L), 4 * 61);
    check_near("most", 1, b.most<double, 1>(p, 1e3), 1e3, 0);
    check_int("sum", 0, Outer<int>::Middle<LOW>::Inner<7>::sum(p), 7 * (780 + 22 * N));

    Outer<int>::Middle<HIGH, double> c;
    c.fill(p);
    check_int("fill", 9, p[9], 9);
    check_int("bytes", 0, c.bytes(p), 780 * 8);
    Outer<float>::Middle<LOW> d;
    check_int("bytes", 1, d.bytes(p), 780 * 4);
    Outer<int>::Plain plain{3};
    plain.scale(p);
    check_int("plain", 9, p[9], 108);
    Outer<float>::Plain floats{2};
    float f[N] = {0, 1};
    floats.scale(f);
    check_near("plain", 1, f[1], 8, 0);

    Outer<char>::Less<int> less{4};
    less.go(p);
    check_int("less", 9, p[9], 104);
    Part<int *> part{2};
    part.add(p);
    check_int("part", 9, p[9], 112);
    space::Whole<int>().all(p);
    space::Whole<float>().all(f);
    check_int("space", 9, p[9], 133);
    check_near("space", 1, f[1], 29, 0);
    return finish();
}
