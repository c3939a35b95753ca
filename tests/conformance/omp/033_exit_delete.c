// delete beside other kinds on one target exit data: only its own data's count becomes zero.
// expect: launches=1 uploads=2 downloads=1
// needs: runtime
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 30

int main(void)
{
    int *a = malloc(N * sizeof *a), b[N], c[N], device = omp_get_default_device();
    for (int i = 0; i < N; i++)
        a[i] = b[i] = c[i] = i;
#pragma omp target enter data map(to: a[0:N], b) map(alloc: c)
#pragma omp target enter data map(to: a[0:N], b) map(alloc: c)
#pragma omp target
    for (int i = 0; i < N; i++)
        c[i] = a[i] + b[i];
#pragma omp target exit data map(delete: a[0:N]) map(from: c) map(release: b)
    check_int("a", 0, omp_target_is_present(a, device), 0);
    check_int("b", 0, omp_target_is_present(b, device), 1);
    check_int("c", 0, omp_target_is_present(c, device), 1);
    check_int("c", 1, c[5], 5);
#pragma omp target exit data map(from: c) map(delete: b) map(delete: a[0:N])
    check_int("b", 1, omp_target_is_present(b, device), 0);
    check_int("c", 2, omp_target_is_present(c, device), 0);
    for (int i = 0; i < N; i++)
        check_int("c", 10 + i, c[i], 2 * i);
    // What is not there is no error.
#pragma omp target exit data map(delete: a[0:N]) map(release: b)
#pragma omp target exit data map(from: c)
    free(a);
    return finish();
}
