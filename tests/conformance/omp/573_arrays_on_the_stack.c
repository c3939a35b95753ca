/* With resident data an array on the stack that a function gets by a pointer is copied by each construct, as its subscripts say. */
// flags: -gpu=autodata
// expect: launches=5
#include "../check.h"

enum { N = 300 };

static void scale(double *x, const double *by, int from, int to)
{
#pragma omp target teams distribute parallel for
    for (int i = from; i < to; i++)
        x[i] = x[i] * by[i] + 1.0;
}

static double sum(const double *x, const int *of, int n)
{
    double s = 0.0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += of[1] ? x[i] * of[2] : 0.0;
    return s;
}

static void fill(int *to, int rows, int columns)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            to[i * columns + j] = 10 * i + j;
}

int main(void)
{
    double x[N], by[N];
    int of[3] = {0, 1, 2}, grid[20 * 15], guard = 77;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        by[i] = 1.0 + i % 3;
    }
    scale(x, by, 10, N - 10);
    scale(x, by, 0, N);
    double want = 0.0;
    for (int i = 0; i < N; i++) {
        double once = i >= 10 && i < N - 10 ? i * by[i] + 1.0 : i;
        double twice = once * by[i] + 1.0;
        check_near("x", i, x[i], twice, 1e-12);
        want += 2.0 * twice;
    }
    check_near("sum", 0, sum(x, of, N), want, 1e-12);
    of[1] = 0;
    check_near("sum", 1, sum(x, of, N), 0.0, 0);
    fill(grid, 20, 15);
    for (int i = 0; i < 300; i++)
        check_int("grid", i, grid[i], 10 * (i / 15) + i % 15);
    check_int("guard", 0, guard, 77);
    return finish();
}
