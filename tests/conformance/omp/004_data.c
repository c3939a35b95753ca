// Data that stays: target data, enter and exit data, update in both directions, always, release and delete.
// expect: launches=4 uploads=6 downloads=4
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 100

int main(void)
{
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), scale = 2;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target enter data map(to: a[0:N]) map(alloc: b[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        b[i] = a[i] + 1;
    for (int i = 0; i < N; i++)
        a[i] = -i;
#pragma omp target update to(a[0:N / 2]) from(b[10:5])
    for (int i = 10; i < 15; i++)
        check_int("b", i, b[i], i + 1);
#pragma omp target data map(always, to: a[0:N]) map(tofrom: scale)
    {
        scale = 9;
#pragma omp target teams distribute parallel for map(tofrom: a[0:N]) map(to: scale)
        for (int i = 0; i < N; i++)
            b[i] = scale * a[i];
#pragma omp target map(tofrom: scale)
        scale = 3;
    }
    check_int("scale", 0, scale, 3);
#pragma omp target exit data map(from: b[0:N]) map(release: a[0:N])
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], -2 * i);
    check_int("present", 0, omp_target_is_present(a, omp_get_default_device()), 0);

#pragma omp target enter data map(to: a[0:N])
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(delete: a[0:N])
    check_int("present", 1, omp_target_is_present(a, omp_get_default_device()), 0);
#pragma omp target update from(a[0:N])
#pragma omp target teams distribute parallel for map(always, tofrom: a[0:N])
    for (int i = 0; i < N; i++)
        a[i]++;
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 1 - i);
    return finish();
}
