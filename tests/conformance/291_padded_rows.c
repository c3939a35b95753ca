// Rows counted by hand whose length is a sum, `n + 2` or `n + 2 * halo`: launches find that they do not meet, or take the version
// for rows that do. A diagonal counts in steps of such a sum, too.
// expect: launches=7 fallbacks=1
#include "check.h"
#include <stdlib.h>

static void smooth(int n, int m, const double *restrict a, double *restrict b)
{
#pragma acc kernels copyin(a[0:(n + 2) * (m + 2)]) copy(b[0:(n + 2) * (m + 2)])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[(i + 1) * (m + 2) + j + 1] = a[(i + 1) * (m + 2) + j] + a[(i + 2) * (m + 2) + j + 1];
}

// A cube: one value is in all of its strides.
static void cube(int n, float *a)
{
    int size = (n + 3) * (n + 3) * (n + 3);
#pragma acc kernels copy(a[0:size])
    for (int i = -1; i <= n; i++)
        for (int j = -1; j <= n; j++)
            for (int k = -1; k <= n; k++)
                a[((i + 1) * (n + 3) + j + 1) * (n + 3) + k + 1] += 1 + i * j * k;
}

static void halo(int n, int m, int width, int planes, long *a)
{
    int size = planes * (n + 2 * width) * (m + 2 * width);
#pragma acc kernels copy(a[0:size])
    for (int p = 0; p < planes; p++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[(p * (n + 2 * width) + i + width) * (m + 2 * width) + j + width] *= p + i - j;
}

// Rows that are longer than the distance between them.
static void meet(int n, int m, int more, int *a)
{
#pragma acc kernels copy(a[0:n * (m + more) + 100])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * (m + more) + j] = 2 * a[i * (m + more) + j] + i;
}

static void diagonal(int n, double *a)
{
#pragma acc kernels copy(a[0:n * n])
    {
        for (int i = 0; i < n; i++)
            a[i * n + i] += 1;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                a[i * n + j] += a[i * n + i];
    }
}

#define N 12
static double a[(N + 2) * (N + 5)], b[(N + 2) * (N + 5)], d[N * N];
static float c[15 * 15 * 15];
static long h[3 * 16 * 17];
static int e[N * 20 + 100], f[N * 20 + 100];

int main(void)
{
    for (int i = 0; i < (N + 2) * (N + 5); i++)
        a[i] = i;
    smooth(N, N + 3, a, b);
    for (int i = 0; i < N + 2; i++)
        for (int j = 0; j < N + 5; j++) {
            int at = i * (N + 5) + j, inner = i > 0 && i <= N && j > 0 && j <= N + 3;
            check_near("smooth", at, b[at], inner ? at - 1 + at + N + 5 : 0, 0);
        }
    cube(N, c);
    for (int i = 0; i < 15 * 15 * 15; i++) {
        int x = i / 225, y = i / 15 % 15, z = i % 15;
        int inner = x < 14 && y < 14 && z < 14;
        check_near("cube", i, c[i], inner ? 1 + (x - 1) * (y - 1) * (z - 1) : 0, 0);
    }
    for (int i = 0; i < 3 * 16 * 17; i++)
        h[i] = i;
    halo(N, N + 1, 2, 3, h);
    for (int p = 0; p < 3; p++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 17; j++) {
                long at = (p * 16 + i) * 17 + j, inner = i >= 2 && i < 14 && j >= 2 && j < 15;
                check_int("halo", at, h[at], inner ? at * (p + i - j) : at);
            }
    for (int more = 5; more > -5; more -= 8) {
        for (int i = 0; i < N * 20 + 100; i++)
            e[i] = f[i] = i % 7;
        meet(N, N, more, e);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                f[i * (N + more) + j] = 2 * f[i * (N + more) + j] + i;
        for (int i = 0; i < N * 20 + 100; i++)
            check_int("meet", i, e[i], f[i]);
    }
    diagonal(N, d);
    for (int i = 0; i < N * N; i++)
        check_near("diagonal", i, d[i], i / N <= i % N, 0);
    return finish();
}
