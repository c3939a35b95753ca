// A nest of three loops of which only the outermost has a directive: the loops inside are spread, too, as the last one has neighbouring
// elements. What the outermost reduces all of them may add up in any order. Where a loop in the middle depends on itself, the last one
// is spread alone.
// expect: launches=7
// expect-remark: Schedule plain: grid.i:x, j:y, k:z.
// expect-remark: Schedule plain: grid.k:x. threads.i:x.
#include "check.h"
#include <math.h>

#define N 21
#define M 34
#define L 47

static double a[N][M][L], b[N][M][L], line[N][L];

static double serial(int k, int j, int i)
{
    return 2 * a[k][j][i] + (k > 0 ? a[k - 1][j][i] : 0);
}

static void copies(void)
{
#pragma acc parallel loop copyin(a) copyout(b)
    for (int k = 0; k < N; k++)
        for (int j = 0; j < M; j++)
            for (int i = 0; i < L; i++)
                b[k][j][i] = 2 * a[k][j][i] + (k > 0 ? a[k - 1][j][i] : 0);
    for (int k = 0; k < N; k++)
        for (int j = 0; j < M; j++)
            for (int i = 0; i < L; i++)
                check_near("copies", (k * M + j) * L + i, b[k][j][i], serial(k, j, i), 0);
}

static void reduced(void)
{
    double sum = 1, most = 0, expected = 1;
#pragma acc parallel loop copyin(a) reduction(+ : sum) reduction(max : most)
    for (int k = 0; k < N; k++)
        for (int j = 0; j < M; j++)
            for (int i = 0; i < L; i++) {
                sum += a[k][j][i];
                double size = fabs(a[k][j][i]);
                if (size > most)
                    most = size;
            }
    for (int k = 0; k < N; k++)
        for (int j = 0; j < M; j++)
            for (int i = 0; i < L; i++)
                expected += a[k][j][i];
    check_near("sum", 0, sum, expected, 1e-12);
    check_near("most", 0, most, 500, 0);
}

/* The loop in the middle adds to the same elements. */
static void repeated(void)
{
#pragma acc parallel loop copyin(a) copy(line)
    for (int k = 0; k < N; k++)
        for (int j = 0; j < M; j++)
            for (int i = 0; i < L; i++)
                line[k][i] = line[k][i] * 0.5 + a[k][j][i];
    for (int k = 0; k < N; k++)
        for (int i = 0; i < L; i++) {
            double expected = 0;
            for (int j = 0; j < M; j++)
                expected = expected * 0.5 + a[k][j][i];
            check_near("repeated", k * L + i, line[k][i], expected, 1e-15);
        }
}

/* Each iteration needs the one before: none is spread. */
static void in_order(void)
{
#pragma acc parallel loop copy(b)
    for (int k = 0; k < N; k++)
        for (int j = 1; j < M; j++)
            for (int i = 1; i < L; i++)
                b[k][j][i] = b[k][j][i - 1] + b[k][j - 1][i] * 0.25;
    for (int k = 0; k < N; k++) {
        double expected[M][L];
        for (int j = 0; j < M; j++)
            for (int i = 0; i < L; i++) {
                double before = j > 0 && i > 0 ? expected[j][i - 1] + expected[j - 1][i] * 0.25 : serial(k, j, i);
                expected[j][i] = before;
                check_near("in order", (k * M + j) * L + i, b[k][j][i], before, 1e-13);
            }
    }
}

/* Where the arrays are one, the rows inside are done in order. */
static void shifted(int n, int m, const double *from, double *to)
{
#pragma acc parallel loop present(from[0:n * m * m + 1], to[0:n * m * m])
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++)
                to[(k * m + j) * m + i] = from[(k * m + j) * m + i] + 1;
}

int main(void)
{
    for (int k = 0; k < N; k++)
        for (int j = 0; j < M; j++)
            for (int i = 0; i < L; i++)
                a[k][j][i] = (k * 31 + j * 17 + i * 7) % 1001 - 500;
    copies();
    reduced();
    repeated();
    in_order();

    double x[513], y[513];
    for (int i = 0; i < 513; i++)
        x[i] = i;
#pragma acc data copy(x) copyout(y)
    {
#pragma acc serial
        y[512] = 0;
        shifted(8, 8, x, y);
        shifted(8, 8, x, x);
    }
    for (int i = 0; i < 512; i++) {
        check_near("shifted", i, y[i], i + 1, 0);
        check_near("in place", i, x[i], i + 1, 0);
    }
    return finish();
}
