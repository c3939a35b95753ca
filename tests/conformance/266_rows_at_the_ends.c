// Loops that copy rows or planes from one end of an array to the other, as those that keep a period do: they are parallel where the ends
// lie apart, which each launch tests. The same of the halves of an array, of which a loop may run too far.
// expect: launches=11 fallbacks=4
// expect-remark: Loop is parallelizable where .*n1\*n2\*n3 > .*, which each launch tests
#include "check.h"
#include <stdlib.h>
#include <string.h>

static double *u, *want;

static void start(int n)
{
    for (int i = 0; i < n; i++)
        u[i] = want[i] = (i * 37 % 101) * 0.5 + i;
}

static void compare(const char *what, int n)
{
    for (int i = 0; i < n; i++)
        check_near(what, i, u[i], want[i], 0);
}

#define PERIODIC                                                                                                    \
    for (int i3 = 1; i3 < n3 - 1; i3++)                                                                             \
        for (int i1 = 0; i1 < n1; i1++) {                                                                           \
            a[i3][0][i1] = a[i3][n2 - 2][i1];                                                                       \
            a[i3][n2 - 1][i1] = a[i3][1][i1];                                                                       \
        }                                                                                                           \
    for (int i2 = 0; i2 < n2; i2++)                                                                                 \
        for (int i1 = 0; i1 < n1; i1++) {                                                                           \
            a[0][i2][i1] = a[n3 - 2][i2][i1];                                                                       \
            a[n3 - 1][i2][i1] = a[1][i2][i1];                                                                       \
        }

/* Two launches each; with two planes or rows those that are copied are written, too. */
static void planes(int n1, int n2, int n3)
{
    start(n1 * n2 * n3);
    {
        double(*a)[n2][n1] = (double(*)[n2][n1])u;
#pragma acc kernels copy(a[0:n3])
        {
            PERIODIC
        }
    }
    {
        double(*a)[n2][n1] = (double(*)[n2][n1])want;
        PERIODIC
    }
    compare("planes", n1 * n2 * n3);
}

/* The last rows are those before the first ones where n is small. */
static void rows(int n, int m, int length)
{
    start((n - 1) * m + length);
#pragma acc kernels copy(u[0:(n - 1) * m + length])
    for (int i = 0; i < length; i++) {
        u[(n - 1) * m + i] = u[m + i] * 2;
        u[i] = u[(n - 2) * m + i];
    }
    for (int i = 0; i < length; i++) {
        want[(n - 1) * m + i] = want[m + i] * 2;
        want[i] = want[(n - 2) * m + i];
    }
    compare("rows", (n - 1) * m + length);
}

static void halves(int n, int w, int count)
{
    start((n + count) * w);
#pragma acc kernels copy(u[0:(n + count) * w])
    for (int k = 0; k < count; k++)
        for (int j = 0; j < w; j++)
            u[(k + n) * w + j] = u[k * w + j] + 1;
    for (int k = 0; k < count; k++)
        for (int j = 0; j < w; j++)
            want[(k + n) * w + j] = want[k * w + j] + 1;
    compare("halves", (n + count) * w);
}

int main(void)
{
    u = malloc(20000 * sizeof *u);
    want = malloc(20000 * sizeof *want);
    planes(20, 30, 25);
    planes(7, 2, 40);
    planes(50, 33, 2);
    rows(9, 100, 100);
    rows(3, 40, 40);
    rows(5, 40, 100);
    halves(40, 50, 30);
    halves(20, 50, 20);
    halves(20, 50, 25);
    return finish();
}
