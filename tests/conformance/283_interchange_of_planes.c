// A sequential loop around several parallel ones becomes the innermost where their iterations stay apart: one launch does what one for each
// plane did. Where arrays overlap, the fallback runs the loops in the program's order.
// expect: launches=8 fallbacks=3
// expect-remark: Loops interchanged: one launch runs the loop over k in each iteration of those over j and i
// expect-remark: Loops interchanged: one launch runs the loop over t in each iteration of those over k and j and i
#include "check.h"

#define NZ 20
#define NY 40
#define NX 70

static double a[NZ][NY][NX], b[NZ][NY][NX], want_a[NZ][NY][NX], want_b[NZ][NY][NX], c[NZ];

/* A solver in the third direction, forward and backward. */
static void solve(double (*restrict x)[NY][NX], double (*restrict y)[NY][NX], const double *restrict d)
{
#pragma acc kernels present(x[0:NZ], y[0:NZ], d[0:NZ])
    {
        for (int k = 1; k < NZ; k++)
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++)
                    x[k][j][i] -= d[k] * x[k - 1][j][i];
        for (int k = NZ - 2; k >= 0; k--)
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++)
                    y[k][j][i] = (x[k][j][i] - d[k] * y[k + 1][j][i]) / 2;
    }
}

static void solve_on_host(double (*x)[NY][NX], double (*y)[NY][NX], const double *d)
{
    for (int k = 1; k < NZ; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                x[k][j][i] -= d[k] * x[k - 1][j][i];
    for (int k = NZ - 2; k >= 0; k--)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                y[k][j][i] = (x[k][j][i] - d[k] * y[k + 1][j][i]) / 2;
}

/* Pointers that may overlap. */
static void solve_any(double (*x)[NY][NX], double (*y)[NY][NX])
{
#pragma acc kernels present(x[0:NZ - 1], y[0:NZ - 1])
    for (int k = 1; k < NZ - 1; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                x[k][j][i] = x[k - 1][j][i] / 2 + y[k][j][i];
}

static void solve_any_on_host(double (*x)[NY][NX], double (*y)[NY][NX])
{
    for (int k = 1; k < NZ - 1; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                x[k][j][i] = x[k - 1][j][i] / 2 + y[k][j][i];
}

/* Steps of each point by itself, and steps that need the neighbours: these stay launches. */
static void steps(int n)
{
#pragma acc kernels present(a, b)
    for (int t = 0; t < n; t++)
        for (int k = 0; k < NZ; k++)
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++)
                    a[k][j][i] = a[k][j][i] * 0.5 + b[k][j][i];
}

static void neighbours(int n)
{
#pragma acc kernels present(a, b)
    for (int t = 1; t < n; t++)
        for (int j = 1; j < NY - 1; j++)
            for (int i = 0; i < NX; i++)
                a[t][j][i] = a[t - 1][j - 1][i] + a[t - 1][j + 1][i] * 0.5;
}

int main(void)
{
    for (int k = 0; k < NZ; k++) {
        c[k] = 0.1 + k * 0.01;
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                a[k][j][i] = want_a[k][j][i] = (i * j + k) % 9;
                b[k][j][i] = want_b[k][j][i] = (i + 2 * j + 3 * k) % 7;
            }
    }
#pragma acc data copy(a, b) copyin(c)
    {
        solve(a, b, c);             /* two launches */
        solve_any(a, b);
        solve_any(a, a);            /* the fallback, as with the next two */
        solve_any(a, a + 1);
        solve_any(a + 1, a);
        steps(4);
        neighbours(2);
    }
    solve_on_host(want_a, want_b, c);
    solve_any_on_host(want_a, want_b);
    solve_any_on_host(want_a, want_a);
    solve_any_on_host(want_a, want_a + 1);
    solve_any_on_host(want_a + 1, want_a);
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < NZ; k++)
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++)
                    want_a[k][j][i] = want_a[k][j][i] * 0.5 + want_b[k][j][i];
    for (int j = 1; j < NY - 1; j++)
        for (int i = 0; i < NX; i++)
            want_a[1][j][i] = want_a[0][j - 1][i] + want_a[0][j + 1][i] * 0.5;
    for (int k = 0; k < NZ; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                check_near("a", (k * NY + j) * NX + i, a[k][j][i], want_a[k][j][i], 1e-9);
                check_near("b", (k * NY + j) * NX + i, b[k][j][i], want_b[k][j][i], 1e-9);
            }
    return finish();
}
