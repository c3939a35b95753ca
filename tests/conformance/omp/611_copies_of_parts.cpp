// Copies that the compiler writes for classes whose members and bases have copy constructors and assignments of their own.
// expect: launches=3
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
    Part part;
    int z;
};

struct Derived : Part {
    int k = 3;
    explicit Derived(int v) : Part(v) {}
};

struct Outer {
    Whole whole;
    double table;
};

struct Moved {
    int v;
    explicit Moved(int v) : v(v) {}
    Moved(const Moved &) = default;
    Moved(Moved &&other) : v(other.v + 1000) { other.v = 0; }
};

struct Holder {
    Moved moved;
};

static Whole made(int i)
{
    Whole whole{Part(i), 5};
    whole.part.v = i;
    return whole;
}

static int by_value(Whole whole) { return whole.part.v * 10 + whole.z; }

int main()
{
    int r[N], s[N];
#pragma omp target teams distribute parallel for map(from: r, s)
    for (int i = 0; i < N; i++) {
        Whole a{Part(i), 2};
        a.part.v = i;
        Whole b = a, c = b;
        r[i] = c.part.v * 10 + c.z + 1000 * by_value(a);
        c = a;
        s[i] = c.part.v;
        c = made(i);
        s[i] += 1000 * c.part.v;
    }
    for (int i = 0; i < N; i++) {
        check_int("constructed", i, r[i], (i + 2) * 10 + 2 + 1000 * ((i + 1) * 10 + 2));
        check_int("assigned", i, s[i], i + 100 + 1000 * (i + 100));
    }

#pragma omp target teams distribute parallel for map(from: r, s)
    for (int i = 0; i < N; i++) {
        Derived a(i), b = a;
        r[i] = b.v + b.k;
        b = a;
        Outer o{{Part(i), 1}, 2.5};
        o.whole.part.v = i;
        Outer p = o, q = p;
        q = o;
        s[i] = 1000 * b.v + q.whole.part.v + p.whole.part.v + 10 * (int)(q.table + p.table);
    }
    for (int i = 0; i < N; i++) {
        check_int("of bases", i, r[i], i + 4);
        check_int("of members of members", i, s[i], 1000 * (i + 100) + i + 100 + i + 1 + 50);
    }

#pragma omp target teams distribute parallel for map(from: r, s)
    for (int i = 0; i < N; i++) {
        Holder a{Moved(i)};
        a.moved.v = i;
        Holder b = a;
        Holder c = static_cast<Holder &&>(a);
        r[i] = b.moved.v;
        s[i] = c.moved.v + a.moved.v;
    }
    for (int i = 0; i < N; i++) {
        check_int("copied", i, r[i], i);
        check_int("moved", i, s[i], i + 1000);
    }
    return finish();
}
