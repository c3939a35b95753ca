// One kernel, launched again and again while its arrays come, go, move, trade places and overlap.
// expect: launches=55 uploads=14 downloads=11
#include "check.h"
#include <stdlib.h>

enum { N = 1000, ROWS = 12 };

static void add(int n, int by, const int *from, int *to)
{
#pragma acc parallel loop present(from[0:n], to[0:n])
    for (int i = 0; i < n; i++)
        to[i] = from[i] + by;
}

static void fill(int *a, int n, int start)
{
    for (int i = 0; i < n; i++)
        a[i] = start + i;
}

/* Entered at the same address with another size, and elsewhere on the device. */
static void come_and_go(int *a, int *b)
{
    int *others[4];
    for (int round = 0; round < 4; round++) {
        int n = N >> (round / 2);
        fill(a, n, round);
        others[round] = malloc(n * sizeof(int));
        fill(others[round], n, -1);
#pragma acc enter data copyin(a[0:n])
        int *other = others[round];
#pragma acc enter data copyin(other[0:n]) if(round % 2)
#pragma acc enter data create(b[0:n])
        for (int again = 0; again < 3; again++)
            add(n, 10 * again, a, b);
#pragma acc exit data copyout(b[0:n]) delete(a[0:n])
        for (int i = 0; i < n; i++)
            check_int("come and go", i, b[i], round + i + 20);
    }
    for (int round = 1; round < 4; round += 2) {
        int *other = others[round];
#pragma acc exit data copyout(other[0:N >> (round / 2)])
        check_int("untouched", 0, other[0], -1);
    }
    for (int round = 0; round < 4; round++)
        free(others[round]);
}

/* Entered again with the same size, but where another array was on the device. */
static void trade_places(int *a, int *b, int *c)
{
    fill(a, N, 0);
    fill(b, N, 5000);
#pragma acc enter data copyin(a[0:N], b[0:N]) create(c[0:N])
    add(N, 1, a, c);
    add(N, 1, a, c);
#pragma acc exit data delete(a[0:N])
#pragma acc exit data delete(b[0:N])
#pragma acc enter data copyin(b[0:N])
#pragma acc enter data copyin(a[0:N])
    add(N, 1, a, c);
#pragma acc exit data copyout(c[0:N]) delete(a[0:N], b[0:N])
    for (int i = 0; i < N; i++)
        check_int("trade places", i, c[i], i + 1);
}

static void swap(int *a, int *b)
{
    fill(a, N, 0);
#pragma acc data copy(a[0:N]) create(b[0:N])
    {
        int *from = a, *to = b;
        for (int step = 0; step < 12; step++) {
            add(N, step, from, to);
            int *old = from;
            from = to;
            to = old;
        }
    }
    for (int i = 0; i < N; i++)
        check_int("swap", i, a[i], i + 66);
}

/* Rows of a matrix, whose addresses are aligned where the pitch is. */
static void rows(int *m, int *out, int pitch)
{
    fill(m, ROWS * pitch, 0);
#pragma acc data copyin(m[0:ROWS * pitch]) copyout(out[0:ROWS * pitch])
    for (int r = 0; r < ROWS; r++)
        add(pitch, r, m + r * pitch, out + (ROWS - 1 - r) * pitch);
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < pitch; i++)
            check_int("rows", r * pitch + i, out[(ROWS - 1 - r) * pitch + i], r * pitch + i + r);
}

/* The same kernel where its arrays are parts of one. */
static void parts(int *a)
{
    fill(a, 4 * N, 0);
#pragma acc data copy(a[0:4 * N])
    {
        add(N, 1, a, a + N);
        add(N, 1, a + N, a + 2 * N);
        add(N, 1, a + 2 * N, a + 2 * N);
        add(N, 1, a + 2 * N, a + 3 * N);
    }
    for (int i = 0; i < N; i++) {
        check_int("parts", i, a[N + i], i + 1);
        check_int("parts", N + i, a[2 * N + i], i + 3);
        check_int("parts", 2 * N + i, a[3 * N + i], i + 4);
    }
}

int main(void)
{
    int *a = malloc(ROWS * N * sizeof(int)), *b = malloc(ROWS * N * sizeof(int)), *c = malloc(N * sizeof(int));
    come_and_go(a, b);
    trade_places(a, b, c);
    swap(a, b);
    rows(a, b, 96);
    rows(a, b, 101);
    parts(a);
    free(a);
    free(b);
    free(c);
    return finish();
}
