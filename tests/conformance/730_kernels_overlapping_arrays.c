// Loops of kernels constructs that are parallel unless their arrays overlap: each launch tests that, and takes a sequential
// version where they do.
// expect: launches=10 fallbacks=4
#include "check.h"

#define N 1000

static int x[2 * N], want[2 * N], other[N];

static void copy(int *dst, int *src, int n)
{
#pragma acc kernels present(dst[0:n], src[0:n])
    for (int i = 0; i < n; i++)
        dst[i] = src[i] + 1;
}

static void copy_on_host(int *dst, int *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = src[i] + 1;
}

/* The section is derived from the subscripts: only what an iteration touches counts. */
static void add(int n, int *to, int *from)
{
#pragma acc kernels
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

static void add_on_host(int n, int *to, int *from)
{
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

int main(void)
{
    for (int i = 0; i < 2 * N; i++)
        x[i] = want[i] = i * 7 % 31;
#pragma acc data copy(x) create(other)
    {
        copy(other, x, N);
        copy(x + N, other, N);
        copy(x + 1, x, N);       /* each iteration reads what the one before it wrote */
        copy(x, x + 1, N);       /* each iteration reads what the next one writes */
        copy(x, x, N);           /* the same array: sequential, though it need not be */
        copy(x, x + N, N);       /* halves of one array */
        copy(x, x + N, N);       /* again, from the launch cache */
        add(N, x + N / 2, x);    /* overlap by half */
        add(N / 2, x + N / 2, x);
        add(N, other, x);
    }
    copy_on_host(want + N, want, N);
    for (int i = N; i < 2 * N; i++)
        want[i] += 1;
    copy_on_host(want + 1, want, N);
    copy_on_host(want, want + 1, N);
    copy_on_host(want, want, N);
    copy_on_host(want, want + N, N);
    copy_on_host(want, want + N, N);
    add_on_host(N, want + N / 2, want);
    add_on_host(N / 2, want + N / 2, want);
    for (int i = 0; i < 2 * N; i++)
        check_int("x", i, x[i], want[i]);
    return finish();
}
