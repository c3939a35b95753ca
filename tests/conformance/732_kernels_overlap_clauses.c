// kernels loop with clauses, async, if and deviceptr, where arrays may overlap.
// expect: launches=8 fallbacks=4
// needs: runtime
#include <openacc.h>
#include "check.h"

#define N 500

static void scale(int *to, int *from, int n, int factor, int on_device)
{
#pragma acc kernels loop vector(64) if (on_device) present(to[0:n], from[0:n]) async(1)
    for (int i = 0; i < n; i++)
        to[i] = from[i] * factor % 997;
}

static void pointers(int *to, int *from, int n)
{
#pragma acc kernels deviceptr(to, from)
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 3;
}

static void columns(int n, int m, int (*to)[40], int (*from)[40])
{
#pragma acc kernels loop collapse(2) gang vector copy(to[0:n]) copyin(from[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i][j] = from[i][j] + i * j;
}

int main(void)
{
    static int x[2 * N], y[2 * N];
    for (int i = 0; i < 2 * N; i++)
        x[i] = y[i] = i;
#pragma acc data copy(x)
    {
        scale(x, x + N, N, 3, 1);
        scale(x + 1, x, N, 5, 1);
        scale(x + N, x, N - 1, 7, 1);
        scale(x + 2, x, N, 2, 1);
#pragma acc wait(1)
    }
    for (int i = 0; i < N; i++)
        y[i] = y[i + N] * 3 % 997;
    for (int i = 0; i < N; i++)
        y[i + 1] = y[i] * 5 % 997;
    for (int i = 0; i < N - 1; i++)
        y[i + N] = y[i] * 7 % 997;
    for (int i = 0; i < N; i++)
        y[i + 2] = y[i] * 2 % 997;
    for (int i = 0; i < 2 * N; i++)
        check_int("x", i, x[i], y[i]);
    scale(x + 1, x, N, 3, 0);
    for (int i = 0; i < N; i++)
        y[i + 1] = y[i] * 3 % 997;
    for (int i = 0; i < 2 * N; i++)
        check_int("on the host", i, x[i], y[i]);

    /* Nobody knows how long these are. */
    int *device = acc_malloc(2 * N * sizeof *device);
    acc_memcpy_to_device(device, x, sizeof x);
    pointers(device + N, device, N);
    pointers(device + 1, device, N);
    acc_memcpy_from_device(x, device, sizeof x);
    acc_free(device);
    for (int i = 0; i < N; i++)
        y[i + N] = y[i] + 3;
    for (int i = 0; i < N; i++)
        y[i + 1] = y[i] + 3;
    for (int i = 0; i < 2 * N; i++)
        check_int("deviceptr", i, x[i], y[i]);

    static int a[20][40], b[20][40];
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 40; j++)
            a[i][j] = i + j;
    columns(10, 40, b, a);
    columns(10, 40, b + 10, b);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 40; j++) {
            check_int("b", i, b[i][j], i + j + i * j);
            check_int("b", i + 10, b[i + 10][j], i + j + 2 * i * j);
        }
    return finish();
}
