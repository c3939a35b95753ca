// Pointers that no clause names: what they point to is there already, or they are device addresses, or null.
// expect: launches=6
// needs: separate
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 60

static int is_null(const int *p)
{
    return p == NULL;
}

int main(void)
{
    int *a = malloc(N * sizeof *a), *middle = a + 20, *nothing = NULL, result = 0;
    int device = omp_get_default_device();
    int *there = omp_target_alloc(N * sizeof *there, device);
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target enter data map(to: a[0:N])
#pragma omp target
    for (int i = 0; i < N; i++)
        a[i]++;
    // A pointer into the middle of what is mapped, and one past its begin that goes back.
#pragma omp target teams distribute parallel for
    for (int i = -20; i < 40; i++)
        middle[i] *= 2;
#pragma omp target is_device_ptr(there)
    for (int i = 0; i < N; i++)
        there[i] = a[i];
    // A device address needs no clause: it is not mapped, so the pointer keeps its value.
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        there[i] += 1000;
#pragma omp target map(from: result)
    result = is_null(nothing) ? 1 : nothing[0];
    check_int("null", 0, result, 1);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        a[i] = nothing ? nothing[i] : there[i];
#pragma omp target exit data map(from: a[0:N])
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 2 * (i + 1) + 1000);
    omp_target_free(there, device);
    free(a);
    return finish();
}
