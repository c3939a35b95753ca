// Kernels exchange pointers of structures that are mapped with what they point to: later kernels follow the device's values, and the
// host's stay as they are. Pointers that are declared for devices are changed by the host, which knows of them alone.
//
// expect: launches=32
#include "../check.h"
#include <utility>

#define N 24

struct Pair {
    int n;
    double *u, *v;
};

static void exchange(Pair *pair)
{
    double *u = pair->u;
    pair->u = pair->v;
    pair->v = u;
}

/* Its objects are the device's own: that it assigns to a pointer says nothing of others. */
struct View {
    double *p;
    int n;
    void set(double *first, int length) { p = first, n = length; }
    double &operator()(int i) const { return p[i]; }
};

template <class T> class Field {
    T *now, *next;
    int n;

  public:
    Field(int n) : now(new T[n]), next(new T[n]), n(n)
    {
        for (int i = 0; i < n; i++)
            now[i] = i % 7, next[i] = 0;
#pragma omp target enter data map(to : this[0 : 1], now[0 : n], next[0 : n])
    }
    ~Field()
    {
#pragma omp target exit data map(delete : now[0 : n], next[0 : n]) map(delete : this[0 : 1])
        delete[] now;
        delete[] next;
    }
    void step()
    {
#pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.5 * now[i] + 0.25 * (now[i - 1] + now[i + 1]);
#pragma omp target
        std::swap(now, next);
    }
    T at(int i)
    {
        T value;
#pragma omp target map(from : value)
        value = now[i];
        return value;
    }
};

#pragma omp declare target
double first[N], second[N], *current;
#pragma omp end declare target

int main()
{
    double a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = i, b[i] = 10 * i;
    Pair pair = {N, a, b}, *same = &pair;
#pragma omp target enter data map(to : pair) map(to : pair.u[0 : N], pair.v[0 : N])
    for (int k = 0; k < 3; k++) {
#pragma omp target
        {
            double *u = pair.u;
            pair.u = pair.v;
            pair.v = u;
        }
#pragma omp target teams distribute parallel for
        for (int i = 0; i < pair.n; i++)
            pair.u[i] += 1 + k;
#pragma omp target
        exchange(same);
#pragma omp target teams distribute parallel for
        for (int i = 0; i < same->n; i++)
            same->u[i] += 100;
#pragma omp target
        exchange(&pair);
    }
    check_true("of the host", pair.u == a && pair.v == b);
#pragma omp target exit data map(from : pair.u[0 : N], pair.v[0 : N]) map(release : pair)
    for (int i = 0; i < N; i++) {
        check_near("a", i, a[i], i + 2 + 200, 0);
        check_near("b", i, b[i], 10 * i + 1 + 3 + 100, 0);
    }

#pragma omp target map(to : pair) map(tofrom : pair.u[0 : N], pair.v[0 : N])
    for (int k = 0; k < 3; k++) {
        std::swap(pair.u, pair.v);
        for (int i = 0; i < N; i++)
            pair.u[i] = pair.v[i] + 1;
    }
    for (int i = 0; i < N; i++) {
        check_near("a", i, a[i], i + 204, 0);
        check_near("b", i, b[i], i + 205, 0);
    }

    View all = {a, N};
#pragma omp target enter data map(to : a, all)
#pragma omp target teams distribute parallel for
    for (int k = 0; k < N / 8; k++) {
        View part;
        part.set(a + 8 * k, 8);
        for (int i = 0; i < part.n; i++)
            part(i) = k;
    }
#pragma omp target exit data map(from : a) map(release : all)
    for (int i = 0; i < N; i++)
        check_near("part", i, a[i], i / 8, 0);

    Field<double> field(40);
    for (int k = 0; k < 5; k++)
        field.step();
    check_near("field", 7, field.at(7), 2.638671875, 1e-12);
    check_near("field", 20, field.at(20), 3.361328125, 1e-12);

#pragma omp target
    current = first;
    for (int k = 0; k < 3; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            current[i] += i;
#pragma omp target
        current = current == first ? second : first;
    }
#pragma omp target update from(first, second)
    for (int i = 0; i < N; i++) {
        check_near("first", i, first[i], 2 * i, 0);
        check_near("second", i, second[i], i, 0);
    }
    return finish();
}
