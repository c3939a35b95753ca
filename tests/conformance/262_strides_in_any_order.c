// Subscripts with a stride for each loop, as in NAS SP: any of them may be the largest one, and one may be that of components.
// Constant strides, of which a loop of unknown length may run over the end, and interleaved components.
// expect: launches=9 fallbacks=3
// expect-remark: Loop is parallelizable where .*rows in steps of .*L2, L3.* do not meet, which each launch tests
// expect-remark: Loop is parallelizable where 64 > m-1, which each launch tests
#include "check.h"

#define SIZE 20000

static int x[SIZE], want[SIZE];

static void lines(int n, int m, int l, int L1, int L2, int L3, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    for (int k = 0; k < n; k++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < l; j++) {
                p[0 * L1 + k * L2 + i * L3 + j] = p[2 * L1 + k * L2 + i * L3 + j] * 3 % 100 + k;
                p[1 * L1 + k * L2 + i * L3 + j] = p[2 * L1 + k * L2 + i * L3 + j] - i;
            }
}

static void lines_on_host(int n, int m, int l, int L1, int L2, int L3, int *p)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < l; j++) {
                p[0 * L1 + k * L2 + i * L3 + j] = p[2 * L1 + k * L2 + i * L3 + j] * 3 % 100 + k;
                p[1 * L1 + k * L2 + i * L3 + j] = p[2 * L1 + k * L2 + i * L3 + j] - i;
            }
}

static void constant(int n, int m, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[64 * k + j] = p[64 * k + j] * 3 % 100 + k;
}

static void constant_on_host(int n, int m, int *p)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[64 * k + j] = p[64 * k + j] * 3 % 100 + k;
}

/* Nothing to test: the components of a pixel, the pixels of a row. */
static void pixels(int height, int width, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < 3; c++)
                p[(y * width + x) * 3 + c] += c * y - x;
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        x[i] = want[i] = i * 7 % 31;
#pragma acc data copy(x)
    {
        lines(8, 9, 10, 1000, 100, 10, x);
        lines(8, 9, 10, 1000, 10, 80, x);
        lines(8, 9, 10, 15, 45, 400, x);
        lines(8, 9, 10, 1000, 100, 9, x);
        lines(8, 9, 10, 1000, 90, 89, x);
        constant(100, 64, x);
        constant(100, 60, x);
        constant(100, 65, x);
        pixels(20, 30, x);
    }
    lines_on_host(8, 9, 10, 1000, 100, 10, want);
    lines_on_host(8, 9, 10, 1000, 10, 80, want);
    lines_on_host(8, 9, 10, 15, 45, 400, want);
    lines_on_host(8, 9, 10, 1000, 100, 9, want);
    lines_on_host(8, 9, 10, 1000, 90, 89, want);
    constant_on_host(100, 64, want);
    constant_on_host(100, 60, want);
    constant_on_host(100, 65, want);
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 30; x++)
            for (int c = 0; c < 3; c++)
                want[(y * 30 + x) * 3 + c] += c * y - x;
    for (int i = 0; i < SIZE; i++)
        check_int("x", i, x[i], want[i]);
    return finish();
}
