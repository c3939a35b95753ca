// declare variant, begin declare variant and dispatch: which function a call means, on the host and on a device.
// gcc: rejects, parts are of OpenMP 5.1 and newer than gcc 12
#include "../check.h"
#include <omp.h>

#define N 50

static int on_host(void) { return 10; }
static int on_device(void) { return 20; }
static int in_teams(void) { return 30; }

#pragma omp declare variant(on_host) match(device = {kind(host)})
#pragma omp declare variant(on_device) match(device = {kind(nohost)})
#pragma omp declare variant(in_teams) match(construct = {target, teams}, device = {kind(gpu)})
static int base(void) { return 0; }

static int plain(int x) { return x; }
static int in_parallel(int x) { return x + 100; }
#pragma omp declare variant(in_parallel) match(construct = {parallel})
static int maybe(int x) { return plain(x); }

// The functions between begin and end have names of their own.
static int enclosed(int x) { return x; }
#pragma omp begin declare variant match(device = {kind(nohost), arch(nvptx, nvptx64)})
static int enclosed(int x) { return x + 1; }
#pragma omp end declare variant
#pragma omp begin declare variant match(implementation = {vendor(nobody)})
this is no C at all
#pragma omp end declare variant
#pragma omp begin declare variant match(construct = {parallel})
static int enclosed(int x) { return x + 2; }
#pragma omp end declare variant

static int called_on_device(void) { return base() + enclosed(5); }

static void add_there(int n, int *p, int by)
{
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < n; i++)
        p[i] += by;
}

#pragma omp declare variant(add_there) match(construct = {dispatch}) adjust_args(need_device_ptr : p) adjust_args(nothing : by)
static void add(int n, int *p, int by)
{
    for (int i = 0; i < n; i++)
        p[i] -= by;
}

// Variants that share work among the threads that call them.
static void shared_by_threads(int n, int *p)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        p[i] += 2;
}
static void shared_by_teams(int n, int *p)
{
#pragma omp distribute
    for (int i = 0; i < n; i++)
        p[i] += 3;
}
#pragma omp declare variant(shared_by_threads) match(construct = {parallel})
#pragma omp declare variant(shared_by_teams) match(construct = {target, teams})
static void by_one(int n, int *p)
{
    for (int i = 0; i < n; i++)
        p[i] += 1;
}

static int doubled(int x) { return 2 * x; }
#pragma omp declare variant(doubled) match(construct = {dispatch})
static int same(int x) { return x; }

int main(void)
{
    int r[6] = {0}, a[N], x;
    check_int("host", 0, base(), 10);
    check_int("host", 1, enclosed(5), 5);
#pragma omp target map(from : r)
    {
        r[0] = base();
        r[1] = enclosed(5);
        r[2] = called_on_device();
        r[3] = maybe(1);
#pragma omp parallel num_threads(1)
        r[4] = maybe(1);
    }
#pragma omp target teams num_teams(1) map(tofrom : r)
    r[5] = base();
    check_int("device", 0, r[0], 20);
    check_int("device", 1, r[1], 6);
    check_int("device", 2, r[2], 26);
    check_int("device", 3, r[3], 1);
    check_int("device", 4, r[4], 101);
    check_int("device", 5, r[5], 30);
    x = maybe(1);
    check_int("parallel", 0, x, 1);
#pragma omp parallel num_threads(1)
    x = maybe(1) + enclosed(1);
    check_int("parallel", 1, x, 104);

    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target data map(tofrom : a)
    {
#pragma omp dispatch nowait depend(inout : a)
        add(N, a, 7);
#pragma omp dispatch device(omp_get_default_device())
        add(N - 1, a + 1, 100);
    }
    check_int("a", 0, a[0], 7);
    for (int i = 1; i < N; i++)
        check_int("a", i, a[i], i + 107);
    add(N, a, 7);
    check_int("a", N, a[0], 0);
#pragma omp dispatch
    x = same(4);
    check_int("dispatch", 0, x, 8);
#pragma omp dispatch novariants(x == 8)
    x = same(4);
    check_int("dispatch", 1, x, 4);

    for (int i = 0; i < N; i++)
        a[i] = 0;
    by_one(N, a);
#pragma omp parallel num_threads(2)
    by_one(N, a);
#pragma omp target map(tofrom : a)
    by_one(N, a);
#pragma omp target teams num_teams(3) map(tofrom : a)
    by_one(N, a);
#pragma omp target parallel num_threads(4) map(tofrom : a)
    by_one(N, a);
    for (int i = 0; i < N; i++)
        check_int("shared", i, a[i], 1 + 2 + 1 + 3 + 2);
    check_int("line", 0, __LINE__, 137);
    return finish();
}
