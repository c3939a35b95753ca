// Present data has one reference count: `target data` and `target enter data` raise the same one, a directive raises it once.
// expect: launches=5 uploads=6 downloads=6
// needs: separate
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 40

static int a[N], b[N], d[N];
#pragma omp declare target
static int declared[N];
#pragma omp end declare target

int main(void)
{
    int device = omp_get_default_device();

    // `release` and `from` count for what `target data` brought, and `delete` ends it.
    int x = 0, y = 0, z = 0;
#pragma omp target data map(from: x, y, z)
    {
#pragma omp target data map(from: x, y, z)
        {
#pragma omp target map(from: x, y, z)
            x = y = z = 7;
#pragma omp target exit data map(from: x) map(release: y) map(delete: z)
            check_int("z present", 0, omp_target_is_present(&z, device), 0);
            check_int("y present", 0, omp_target_is_present(&y, device), 1);
#pragma omp target exit data map(release: y)
            check_int("y present", 1, omp_target_is_present(&y, device), 0);
        }
        check_int("x", 0, x, 7);
        check_int("y", 0, y, 0);
        check_int("z", 0, z, 0);
    }

    // Two parts of one array on one directive count once; both are copied when it goes.
#pragma omp target enter data map(to: a)
#pragma omp target enter data map(to: a[0:5]) map(to: a[10:5])
#pragma omp target map(tofrom: a)
    for (int i = 0; i < N; i++)
        a[i] = i + 1;
#pragma omp target exit data map(release: a)
    check_int("a", 3, a[3], 0);
#pragma omp target exit data map(from: a[0:5]) map(from: a[10:5])
    check_int("a", 3, a[3], 4);
    check_int("a", 7, a[7], 0);
    check_int("a", 12, a[12], 13);
    check_int("a present", 0, omp_target_is_present(a, device), 0);

    // Sections without elements count for what is around them.
    int *p = b + 5;
#pragma omp target enter data map(to: b)
#pragma omp target enter data map(alloc: p[:0])
#pragma omp target exit data map(release: b)
    check_int("b present", 0, omp_target_is_present(b, device), 1);
#pragma omp target exit data map(release: p[:0])
    check_int("b present", 1, omp_target_is_present(b, device), 0);

    // What is declared for devices stays.
    int *of_declared = declared;
#pragma omp target exit data map(delete: of_declared[:N])
#pragma omp target
    declared[3]++;
#pragma omp target update from(declared)
    check_int("declared", 3, declared[3], 1);

    // An array in no clause, of which a part is present; a pointer whose section begins behind it.
    for (int i = 0; i < N; i++)
        d[i] = i;
#pragma omp target data map(tofrom: d[10:5])
    {
#pragma omp target
        for (int i = 10; i < 15; i++)
            d[i] += 100;
        check_int("d", 12, d[12], 12);
    }
    check_int("d", 12, d[12], 112);
    check_int("d", 9, d[9], 9);
    float *q = malloc(N * sizeof *q);
    for (int i = 0; i < N; i++)
        q[i] = (float)i;
#pragma omp target data map(tofrom: q[8:16])
    {
#pragma omp target
        for (int i = 8; i < 24; i++)
            q[i] *= 2;
        check_int("q", 9, (int)q[9], 9);
    }
    check_int("q", 9, (int)q[9], 18);
    check_int("q", 24, (int)q[24], 24);

    // What is not wholly present at the end is left alone.
#pragma omp target data map(tofrom: d[0:20])
    {
#pragma omp target exit data map(delete: d[0:20])
#pragma omp target enter data map(alloc: d[0:2])
    }
    check_int("d", 1, d[1], 1);
    check_int("d present", 0, omp_target_is_present(d, device), 1);
#pragma omp target exit data map(release: d[0:2])
    free(q);
    return finish();
}
