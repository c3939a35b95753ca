// Sections of no elements: nothing is there, nothing moves, and the pointer may be null.
// expect: launches=2
// needs: separate
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 20

static int work(int *p, int n)
{
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom: p[0:n])
    for (int i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

int main(void)
{
    int *a = malloc(N * sizeof *a), *null = NULL, zero = 0, device = omp_get_default_device();
    for (int i = 0; i < N; i++)
        a[i] = i;
    check_int("null", 0, work(null, zero), 0);
    check_int("none", 0, work(a, zero), 0);
    check_int("all", 0, work(a, N), N * (N - 1) / 2);
#pragma omp target enter data map(to: a[0:zero]) map(to: null[0:zero])
    check_int("present", 0, omp_target_is_present(a, device), 0);
#pragma omp target update to(a[0:zero]) from(a[zero:zero])
#pragma omp target exit data map(from: a[0:zero])
    // A section of no elements of what is there is its device address.
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target map(alloc: a[:0])
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i + 1);
    free(a);
    return finish();
}
