// use_device_ptr and use_device_addr, alone and beside map on one directive; pointers of structures and into the middle.
// expect: launches=4
// needs: separate
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 77

static void add(int *on_device, int n, int value)
{
#pragma omp target teams distribute parallel for is_device_ptr(on_device)
    for (int i = 0; i < n; i++)
        on_device[i] += value;
}

int main(void)
{
    int *p = malloc(N * sizeof *p), *q = malloc(N * sizeof *q), array[N], single = 3;
    int *kept = p, *seen = NULL;
    for (int i = 0; i < N; i++)
        p[i] = q[i] = array[i] = i;
#pragma omp target data map(tofrom: p[0:N]) map(to: q[0:N]) use_device_ptr(p, q)
    {
        seen = p;
        add(p, N, 10);
        add(q, N, 1);
        check_int("copy", 0, omp_target_memcpy(p, q, 5 * sizeof(int), 0, 0, 0, 0), 0);
    }
    check_int("kept", 0, p == kept, 1);
    check_int("kept", 1, seen != kept, 1);
    for (int i = 0; i < N; i++)
        check_int("p", i, p[i], i < 5 ? i + 1 : i + 10);

#pragma omp target enter data map(to: p[0:N])
#pragma omp target data use_device_ptr(p)
    add(p, N, 100);
#pragma omp target exit data map(from: p[0:N])
    for (int i = 0; i < N; i++)
        check_int("p", N + i, p[i], i < 5 ? i + 101 : i + 110);

#pragma omp target data map(tofrom: array) use_device_addr(array)
    {
        add(array, N, 2);
        int *address = &array[7], value;
        check_int("copy", 1, omp_target_memcpy(&value, address, sizeof value, 0, 0, omp_get_initial_device(), 0), 0);
        check_int("array", 7, value, 9);
    }
    for (int i = 0; i < N; i++)
        check_int("array", i, array[i], i + 2);

    // What is not mapped keeps its address.
#pragma omp target data map(to: q[0:N]) use_device_ptr(p)
    check_int("kept", 2, p == kept, 1);
    // With a condition that does not hold nothing is mapped.
#pragma omp target data map(to: q[0:N]) use_device_ptr(q) if (single == 4)
    q[0] = 5;
    check_int("q", 0, q[0], 5);
    return finish();
}
