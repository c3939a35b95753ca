// `for` over a range of the program's own whose iterators are pointers: its iterations are shared.
// expect: launches=3
#include "../check.h"

#define N 1000

template <class T> struct View {
    T *first;
    long length;
    T &operator[](long i) const { return first[i]; }
    T *begin() const { return first; }
    T *end() const { return first + length; }
};

struct Table {
    double values[N];
    double *begin() { return values; }
    double *end() { return values + N; }
};

static Table table;

int main()
{
    double a[N], *p = a, sum = 0, own = 0;
    for (int i = 0; i < N; i++)
        a[i] = table.values[i] = i;
    View<double> view{p, N};
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N])
    for (double &v : view)
        v = 2 * v + 1;
#pragma omp target teams distribute parallel for map(to : p[0 : N]) reduction(+ : sum)
    for (double v : view)
        sum += v;
#pragma omp target teams distribute parallel for map(tofrom : table) reduction(+ : own)
    for (auto &v : table) {
        v += 1;
        own += v;
    }
    for (int i = 0; i < N; i++) {
        check_near("a", i, a[i], 2.0 * i + 1, 1e-12);
        check_near("table", i, table.values[i], i + 1.0, 1e-12);
    }
    check_near("sum", 0, sum, 1.0 * N * N, 1e-6);
    check_near("own", 0, own, N * (N + 1) / 2.0, 1e-6);
    return finish();
}
