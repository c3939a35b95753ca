// Words of OpenMP 5.1 and 5.2 that compilers of the host may not have: `append_args`, `doacross` with `omp_cur_iteration`, and
// `allocate` for variables of the host.
// expect: launches=1
// needs: runtime
#include "../check.h"
#include <omp.h>
#include <stdint.h>

#define N 64

static int called;

static void with_objects(int *p, int n, omp_interop_t first, omp_interop_t second)
{
    /* Devices without streams have no objects. */
    int none = first == omp_interop_none && second == omp_interop_none;
    called = none || first != second ? 2 : -1;
    p[0] = n;
}

#pragma omp declare variant(with_objects) match(construct = {dispatch}) append_args(interop(targetsync), interop(target, prefer_type("cuda")))
static void without(int *p, int n)
{
    called = 1;
    p[0] = -n;
}

int main(void)
{
    int a[N], b[N];
#pragma omp dispatch
    without(a, 5);
    check_true("called == 2 && a[0] == 5", called == 2 && a[0] == 5);
    without(a, 5);
    check_true("called == 1 && a[0] == -5", called == 1 && a[0] == -5);

    for (int i = 0; i < N; i++) {
        a[i] = b[i] = i;
    }
#pragma omp target parallel for ordered(1) map(tofrom: a)
    for (int i = 1; i < N; i++) {
#pragma omp ordered doacross(sink: omp_cur_iteration - 1)
        a[i] = a[i - 1] + i;
#pragma omp ordered doacross(source: omp_cur_iteration)
    }
#pragma omp parallel for ordered(1)
    for (int i = N - 2; i >= 0; i -= 2) {
#pragma omp ordered doacross(sink: omp_cur_iteration - 1)
        b[i] = (i + 2 < N ? b[i + 2] : 0) + i;
#pragma omp ordered doacross(source:)
    }
    int sum = 0;
    for (int i = 0; i < N; i++) {
        check_true("a[i] == i * (i + 1) / 2", a[i] == i * (i + 1) / 2);
    }
    for (int i = N - 2; i >= 0; i -= 2) {
        sum += i;
        check_true("b[i] == sum", b[i] == sum);
    }

    int before = 0, wide[10], other;
#pragma omp parallel num_threads(2)
#pragma omp atomic
    before++;
#pragma omp allocate(wide, other) align(256) allocator(omp_default_mem_alloc)
#pragma omp allocate(before) allocator(omp_default_mem_alloc)
    check_true("(uintptr_t)wide % 256 == 0 && (uintptr_t)&other % 256 == 0", (uintptr_t)wide % 256 == 0 && (uintptr_t)&other % 256 == 0);
    check_true("before >= 1", before >= 1);
    return finish();
}
