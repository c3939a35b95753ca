// A construct maps what members of an object point to, and gives the whole object to functions.
// expect: launches=4
#include "../check.h"

#define N 100

typedef struct {
    int nn;
    double *a, *b;
    int m;
} Data;

static double by_value(Data d, int i) { return d.a[i] + d.b[i % d.nn] + d.m; }
static double by_address(const Data *d, int i) { return d->a[i] + d->b[i % d->nn] + d->m; }

int main(void)
{
    double a[N], b[10], values = 0, addresses = 0, copies = 0, want = 0;
    Data d = {.nn = 10, .a = a, .b = b, .m = 3};
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int i = 0; i < 10; i++)
        b[i] = 100 * i;
    for (int i = 0; i < N; i++)
        want += by_value(d, i);
#pragma omp target teams distribute parallel for map(to: d.a[:N], d.b[:10]) reduction(+: values)
    for (int i = 0; i < N; i++)
        values += by_value(d, i);
#pragma omp target teams distribute parallel for map(to: d.a[:N], d.b[:10]) reduction(+: addresses)
    for (int i = 0; i < N; i++)
        addresses += by_address(&d, i);
#pragma omp target teams distribute parallel for map(to: d.a[:N]) reduction(+: copies)
    for (int i = 0; i < N; i++) {
        Data own = d;
        copies += own.a[i];
    }
#pragma omp target map(tofrom: d.a[:N])
    {
        Data *p = &d;
        p->a[0] = 7;
        p->m = 8;
    }
    check_near("values", 0, values, want, 1e-6);
    check_near("addresses", 0, addresses, want, 1e-6);
    check_near("copies", 0, copies, N * (N - 1) / 2, 1e-6);
    check_near("written", 0, a[0], 7, 1e-6);
    check_int("member", 0, d.m, 8);
    check_true("pointer", d.a == a);
    return finish();
}
