/* Threads that go along lines of memory by themselves: recurrences forwards and backwards, along the fastest dimension of arrays of
   three and four, of doubles and floats, with long lines, short ones and none. Few blocks stride over the launch where lines are long. */
// expect: launches=8
// expect-remark: few_blocks\(32, 4\)
#include "check.h"
#include <stdlib.h>

static void solve(int nz, int ny, int n, const double *restrict diagonal, const double *restrict right, double *restrict factor,
                  double *restrict u)
{
#pragma acc parallel loop collapse(2) copyin(diagonal[0:nz * ny * n], right[0:nz * ny * n]) \
    create(factor[0:nz * ny * n]) copyout(u[0:nz * ny * n])
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++) {
            int line = (z * ny + y) * n;
            double above = 0.0, before = 0.0;
            for (int x = 0; x < n; x++) {
                above = 1.0 / (diagonal[line + x] - above);
                before = (right[line + x] + before) * above;
                factor[line + x] = above;
                u[line + x] = before;
            }
            double after = 0.0;
            for (int x = n - 1; x >= 0; x--) {
                after = u[line + x] + factor[line + x] * after;
                u[line + x] = after;
            }
        }
}

static void solve_here(int lines, int n, const double *diagonal, const double *right, double *factor, double *u)
{
    for (int l = 0; l < lines; l++) {
        double above = 0.0, before = 0.0, after = 0.0;
        for (int x = l * n; x < (l + 1) * n; x++) {
            factor[x] = above = 1.0 / (diagonal[x] - above);
            u[x] = before = (right[x] + before) * above;
        }
        for (int x = (l + 1) * n - 1; x >= l * n; x--)
            u[x] = after = u[x] + factor[x] * after;
    }
}

static void check_solve(int nz, int ny, int n)
{
    int all = nz * ny * n;
    double *diagonal = malloc((all + 1) * sizeof *diagonal), *right = malloc((all + 1) * sizeof *right);
    double *factor = malloc((all + 1) * sizeof *factor);
    double *u = malloc((all + 1) * sizeof *u), *expected = malloc((all + 1) * sizeof *expected);
    for (int i = 0; i < all; i++) {
        diagonal[i] = 3.0 + i % 7;
        right[i] = i % 13 - 6.0;
    }
    solve(nz, ny, n, diagonal, right, factor, u);
    solve_here(nz * ny, n, diagonal, right, factor, expected);
    int wrong = 0;
    for (int i = 0; i < all; i++)
        wrong += !(u[i] - expected[i] < 1e-12 && expected[i] - u[i] < 1e-12);
    check_int("wrong elements of a solution", nz, wrong, 0);
    free(diagonal), free(right), free(factor), free(u), free(expected);
}

/* A filter in place, whose loops count in long and begin behind the line's first element. */
static void filter(long nw, long nz, long ny, long n, float *a)
{
#pragma acc parallel loop collapse(3) copy(a[0:nw * nz * ny * n])
    for (long w = 0; w < nw; w++)
        for (long z = 0; z < nz; z++)
            for (long y = 0; y < ny; y++) {
                float *line = a + ((w * nz + z) * ny + y) * n;
                float last = line[0];
                for (long x = 1; x < n; x++) {
                    last = 0.5f * last + line[x];
                    line[x] = last;
                }
            }
}

static void check_filter(long nw, long nz, long ny, long n)
{
    long all = nw * nz * ny * n;
    float *a = malloc((all + 1) * sizeof *a), *expected = malloc((all + 1) * sizeof *expected);
    for (long i = 0; i < all; i++)
        a[i] = expected[i] = i % 11;
    filter(nw, nz, ny, n, a);
    for (long i = 0; i < all; i++)
        if (i % n)
            expected[i] = 0.5f * expected[i - 1] + expected[i];
    int wrong = 0;
    for (long i = 0; i < all; i++)
        wrong += !(a[i] - expected[i] < 1e-4f && expected[i] - a[i] < 1e-4f);
    check_int("wrong elements of a filtered array", nz, wrong, 0);
    free(a), free(expected);
}

int main(void)
{
    check_solve(131, 129, 67);
    check_solve(1000, 7, 64);
    check_solve(3, 1001, 63);
    check_solve(2, 3, 1);
    check_solve(0, 5, 70);
    check_solve(70000, 1, 65);
    check_filter(5, 61, 67, 65);
    check_filter(1, 2, 3, 200);
    check_filter(40, 3, 200, 9);
    return finish();
}
