// -gpu=autodata: memory of every allocator of the C library; an address that is used again; realloc of what is on the device.
// flags: -gpu=autodata
// needs: runtime
#define _GNU_SOURCE
#include "check.h"
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define N 9001

static void add(int *a, int n, int by)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        a[i] += by;
}

static void expect(const char *what, int *a, int n, int first, int step)
{
    for (int i = 0; i < n; i++)
        check_int(what, i, a[i], first + (long)i * step);
}

static void fill(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
}

int main(void)
{
    int *a = calloc(N, sizeof *a);
    add(a, N, 4);
    expect("calloc", a, N, 4, 0);
    add(a, N, 1);
    free(a);

    // The same memory, which must be clear again.
    for (int i = 0; i < 5; i++) {
        a = calloc(N, sizeof *a);
        add(a, N, i);
        expect("again", a, N, i, 0);
        add(a, N, 7);
        free(a);
    }
    a = malloc(N * sizeof *a);
    fill(a, N);
    add(a, N, 1);
    // Longer, shorter, and small; contents that only the device has are kept.
    a = realloc(a, 3 * N * sizeof *a);
    expect("longer", a, N, 1, 1);
    add(a, N, 1);
    a = realloc(a, N * sizeof *a);
    expect("shorter", a, N, 2, 1);
    add(a, N, 1);
    a = realloc(a, 100 * sizeof *a);
    expect("small", a, 100, 3, 1);
    add(a, 100, 1);
    a = realloc(a, 2 * N * sizeof *a);
    expect("large again", a, 100, 4, 1);
    fill(a, 2 * N);
    add(a, 2 * N, 5);
    expect("all of it", a, 2 * N, 5, 1);
    free(a);
    a = realloc(NULL, N * sizeof *a);
    fill(a, N);
    add(a, N, 1);
    expect("realloc", a, N, 1, 1);
    free(a);

    a = aligned_alloc(256, (N * sizeof *a + 255) / 256 * 256);
    fill(a, N);
    add(a, N, 1);
    expect("aligned_alloc", a, N, 1, 1);
    check_int("aligned_alloc", -1, (long)a % 256, 0);
    free(a);
    void *p;
    check_int("posix_memalign", -1, posix_memalign(&p, 1 << 16, N * sizeof *a), 0);
    check_int("posix_memalign", -2, (long)p % (1 << 16), 0);
    a = p;
    fill(a, N);
    add(a, N, 1);
    expect("posix_memalign", a, N, 1, 1);
    check_true("usable size", malloc_usable_size(a) >= N * sizeof *a);
    free(a);
    a = memalign(64, N * sizeof *a);
    memset(a, 0, N * sizeof *a);
    add(a, N, 1);
    expect("memalign", a, N, 1, 0);
    free(a);
    free(NULL);
    return finish();
}
