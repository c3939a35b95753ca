// Subscripts with rows of which only the launch knows the length: the nest is one launch where its loops stay inside of a row,
// which each launch tests, and runs in order where they do not, since iterations meet then.
// expect: launches=11 fallbacks=4
// expect-remark: Loop is parallelizable where w > m-1, which each launch tests
// expect-remark: Loop is parallelizable where nx > l-2 and nx\*ny > .*, which each launch tests
// expect-remark: Loop is parallelizable where s > 0, which each launch tests
// expect-remark: Schedule fallback: one iteration after the other, where not w > m-1
#include "check.h"

#define SIZE 4000

static int x[SIZE], want[SIZE];

/* The last iterations of a row write what the first ones of the next row write and read. */
static void rows(int n, int m, int w, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[k * w + j] = p[k * w + j] * 3 % 1000 + k - j;
}

static void rows_on_host(int n, int m, int w, int *p)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[k * w + j] = p[k * w + j] * 3 % 1000 + k - j;
}

/* What lies in a plane may be more than it holds, too. */
static void planes(int nx, int ny, int n, int m, int l, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            for (int k = 1; k < l; k++)
                p[(i * ny + j) * nx + k] = p[(i * ny + j) * nx + k] * 5 % 1000 + i * j - k;
}

static void planes_on_host(int nx, int ny, int n, int m, int l, int *p)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            for (int k = 1; k < l; k++)
                p[(i * ny + j) * nx + k] = p[(i * ny + j) * nx + k] * 5 % 1000 + i * j - k;
}

/* All of one element. */
static void strided(int n, long s, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    for (int i = 0; i < n; i++)
        p[i * s] = p[i * s] * 3 % 1000 + i;
}

static void strided_on_host(int n, long s, int *p)
{
    for (int i = 0; i < n; i++)
        p[i * s] = p[i * s] * 3 % 1000 + i;
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        x[i] = want[i] = i * 7 % 31;
#pragma acc data copy(x)
    {
        rows(30, 40, 40, x);        /* whole rows */
        rows(30, 39, 41, x);        /* parts of rows */
        rows(30, 41, 40, x);        /* one too many */
        rows(30, 90, 7, x);         /* many too many */
        planes(12, 11, 9, 11, 12, x);
        planes(12, 11, 9, 11, 13, x);   /* rows meet */
        planes(12, 11, 9, 13, 12, x);   /* planes meet */
        planes(14, 12, 9, 11, 12, x);
        strided(50, 3, x);
        strided(50, 1, x);
        strided(50, 0, x);
        rows(0, 5, 9, x);           /* nothing */
    }
    rows_on_host(30, 40, 40, want);
    rows_on_host(30, 39, 41, want);
    rows_on_host(30, 41, 40, want);
    rows_on_host(30, 90, 7, want);
    planes_on_host(12, 11, 9, 11, 12, want);
    planes_on_host(12, 11, 9, 11, 13, want);
    planes_on_host(12, 11, 9, 13, 12, want);
    planes_on_host(14, 12, 9, 11, 12, want);
    strided_on_host(50, 3, want);
    strided_on_host(50, 1, want);
    strided_on_host(50, 0, want);
    for (int i = 0; i < SIZE; i++)
        check_int("x", i, x[i], want[i]);
    return finish();
}
