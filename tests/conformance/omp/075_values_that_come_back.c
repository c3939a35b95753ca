// Pointers that are mapped for themselves and changed, list items in parentheses, the last value of a simd loop's variable, and
// the device's number; routines that set numbers of threads.
// expect: launches=13
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

enum { N = 100 };

static int *global_pointer;

static long after_simd(long n, int *u)
{
    long d;
#pragma omp target map(from: d) map(from: u[0:n])
#pragma omp teams distribute parallel for simd
    for (d = 0; d < n; d++)
        u[d] = (int)d;
    return d;
}

static long after_two(long n, int *u)
{
    long i, j;
#pragma omp target teams distribute parallel for simd collapse(2) map(from: i, j, u[0:n * n])
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j += 2)
            u[i * n + j] = 1;
    return i * 1000 + j;
}

int main(void)
{
    int device = omp_get_default_device(), number = -1, numbers[10], x = 3;
    int *data = malloc(N * sizeof(int)), array[N], (*rows)[N] = &array, *px = &x;
    void *found = NULL, *p = NULL;
#pragma omp target enter data map(to: data[:N])
    found = omp_get_mapped_ptr(data, device);
#pragma omp target map(from: p)
    p = data;
    check_int("a local pointer", 0, p == found, 1);
#pragma omp target map(from: global_pointer)
    global_pointer = data + 16;
    check_int("a global pointer", 0, global_pointer == omp_get_mapped_ptr(data + 16, device), 1);
#pragma omp target exit data map(delete: data[:N])
    int *q = data;
#pragma omp target map(tofrom: q)
    q++;
    check_int("both ways", 0, q == data + 1, 1);

#pragma omp target map(from: (*rows)[0:N])
    for (int i = 0; i < N; i++)
        (*rows)[i] = i;
    check_int("a row", 7, array[7], 7);
#pragma omp target map(tofrom: (*px), (data)[0:2])
    *px += 6, data[1] = 2;
    check_int("what a pointer points to", 0, x, 9);
    check_int("a name in parentheses", 0, data[1], 2);

    check_int("simd", 0, (int)after_simd(N, data), N);
    check_int("simd", 1, data[N - 1], N - 1);
    check_int("two loops", 0, (int)after_two(10, data), 10010);
    long kept = 5;
#pragma omp target parallel for map(tofrom: kept, data[0:N])
    for (kept = 0; kept < N; kept++)
        data[kept] = 0;
    check_int("a loop that is no simd loop has its own", 0, (int)kept, 5);

#pragma omp target map(from: number)
    number = omp_get_device_num();
    check_int("the default device", 0, number, device);
#pragma omp target teams distribute parallel for map(from: numbers) device(device)
    for (int i = 0; i < 10; i++)
        numbers[i] = omp_get_device_num() + i;
    check_int("a loop", 3, numbers[3], device + 3);
#pragma omp target map(from: number) if (0)
    number = omp_get_device_num();
    check_int("the host", 0, number, omp_get_initial_device());
#pragma omp target map(from: number) device(device)
    number = omp_get_device_num();
    check_int("a device by number", 0, number, device);
    free(data);

    int adjusts = -1, threads = 0;
#pragma omp target map(from: adjusts)
    {
        omp_set_dynamic(1);
        omp_set_max_active_levels(4);
        adjusts = omp_get_dynamic() + omp_get_max_active_levels();
    }
    check_int("settings that devices have not", 0, adjusts, 1);
#pragma omp target map(tofrom: threads)
    {
        omp_set_num_threads(3);
#pragma omp parallel
        {
#pragma omp atomic
            threads++;
        }
    }
    check_int("no more threads than were set", 0, threads >= 1 && threads <= 3, 1);
    return finish();
}
