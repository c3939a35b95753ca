// Rows counted by a function, by tiles whose last one may be shorter, backwards, and in loops with `auto`: each launch tests that
// rows do not meet.
// expect: launches=12 fallbacks=4
// expect-remark: 20, Loop is parallelizable where w > m-1, which each launch tests
// expect-remark: 36, Loop is parallelizable where w > m-1, which each launch tests
// expect-remark: 54, Loop is parallelizable where w > m-1, which each launch tests
// expect-remark: 70, Loop is parallelizable where w > m-1, which each launch tests
#include "check.h"

#define SIZE 4000
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int x[SIZE], want[SIZE];

static inline int at(int width, int row, int column) { return row * width + column; }

static void by_function(int n, int m, int w, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[at(w, k, j)] = p[at(w, k, j)] * 3 % 1000 + k - j;
}

static void by_function_on_host(int n, int m, int w, int *p)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[at(w, k, j)] = p[at(w, k, j)] * 3 % 1000 + k - j;
}

static void tiles(int n, int m, int w, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    {
        for (int k = 0; k < n; k++)
            for (int first = 0; first < m; first += 16)
                for (int j = first; j < MIN(first + 16, m); j++)
                    p[k * w + j] = p[k * w + j] * 5 % 1000 + k - j;
    }
}

static void tiles_on_host(int n, int m, int w, int *p)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[k * w + j] = p[k * w + j] * 5 % 1000 + k - j;
}

static void backwards(int n, int m, int w, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    {
        for (int k = n - 1; k >= 0; k--)
            for (int j = m - 1; j >= 0; j--)
                p[w * n - k * w + j] = p[w * n - k * w + j] * 3 % 1000 + k - j;
    }
}

static void backwards_on_host(int n, int m, int w, int *p)
{
    for (int k = n - 1; k >= 0; k--)
        for (int j = m - 1; j >= 0; j--)
            p[w * n - k * w + j] = p[w * n - k * w + j] * 3 % 1000 + k - j;
}

static void automatic(int n, int m, int w, int *restrict p)
{
#pragma acc parallel loop auto present(p[0:SIZE])
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[k * w + j] = p[k * w + j] * 7 % 1000 + k - j;
}

static void automatic_on_host(int n, int m, int w, int *p)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[k * w + j] = p[k * w + j] * 7 % 1000 + k - j;
}

int main(void)
{
    const int shapes[3][3] = {{30, 40, 40}, {30, 41, 40}, {20, 37, 90}};
    for (int i = 0; i < SIZE; i++)
        x[i] = want[i] = i * 7 % 31;
#pragma acc data copy(x)
    for (int s = 0; s < 3; s++) {
        const int *a = shapes[s];
        by_function(a[0], a[1], a[2], x);
        tiles(a[0], a[1], a[2], x);
        backwards(a[0], a[1], a[2], x);
        automatic(a[0], a[1], a[2], x);
    }
    for (int s = 0; s < 3; s++) {
        const int *a = shapes[s];
        by_function_on_host(a[0], a[1], a[2], want);
        tiles_on_host(a[0], a[1], a[2], want);
        backwards_on_host(a[0], a[1], a[2], want);
        automatic_on_host(a[0], a[1], a[2], want);
    }
    for (int i = 0; i < SIZE; i++)
        check_int("x", i, x[i], want[i]);
    return finish();
}
