// Components of one array that macros count, as in SP: subscripts that differ by many rows of a known length are other elements where
// the loops stay inside of a component, which each launch tests.
// expect: launches=8 fallbacks=4
// expect-remark: Loop is parallelizable where 12 > nx-1 and 144 > nx\+12\*ny-13 and 1728 > nx\+12\*ny\+144\*nz-157, which each launch tests
#include "check.h"

#define N 12
#define SIZE (4 * N * N * N)
#define rhs(m, k, j, i) buffer[((((m) * N) + (k)) * N + (j)) * N + (i)]

static int x[SIZE], want[SIZE];

static void solve(int nx, int ny, int nz, int *restrict buffer)
{
#pragma acc kernels present(buffer[0:SIZE])
    for (int k = 1; k <= nz; k++)
        for (int j = 1; j <= ny; j++)
            for (int i = 1; i <= nx; i++) {
                int first = rhs(0, k, j, i), second = rhs(1, k, j, i);
                rhs(0, k, j, i) = (first - 3 * second) % 1000;
                rhs(1, k, j, i) = (second * 5 + first + i) % 1000;
            }
}

static void solve_on_host(int nx, int ny, int nz, int *buffer)
{
    for (int k = 1; k <= nz; k++)
        for (int j = 1; j <= ny; j++)
            for (int i = 1; i <= nx; i++) {
                int first = rhs(0, k, j, i), second = rhs(1, k, j, i);
                rhs(0, k, j, i) = (first - 3 * second) % 1000;
                rhs(1, k, j, i) = (second * 5 + first + i) % 1000;
            }
}

/* One component reads its neighbours in another one. */
static void shifted(int nx, int ny, int nz, int *restrict buffer)
{
#pragma acc kernels present(buffer[0:SIZE])
    for (int k = 1; k <= nz; k++)
        for (int j = 1; j <= ny; j++)
            for (int i = 1; i <= nx; i++)
                rhs(0, k, j, i) = rhs(1, k + 1, j - 1, i + 1) - rhs(2, k - 1, j, i - 1);
}

static void shifted_on_host(int nx, int ny, int nz, int *buffer)
{
    for (int k = 1; k <= nz; k++)
        for (int j = 1; j <= ny; j++)
            for (int i = 1; i <= nx; i++)
                rhs(0, k, j, i) = rhs(1, k + 1, j - 1, i + 1) - rhs(2, k - 1, j, i - 1);
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        x[i] = want[i] = i * 7 % 131;
#pragma acc data copy(x)
    {
        solve(10, 10, 10, x);
        solve(12, 10, 10, x);
        solve(13, 10, 10, x);       /* rows meet */
        solve(10, 13, 10, x);       /* planes meet */
        solve(10, 10, 13, x);       /* components meet */
        shifted(10, 10, 10, x);
        shifted(9, 9, 5, x);
        shifted(10, 10, 20, x);     /* components meet */
    }
    solve_on_host(10, 10, 10, want);
    solve_on_host(12, 10, 10, want);
    solve_on_host(13, 10, 10, want);
    solve_on_host(10, 13, 10, want);
    solve_on_host(10, 10, 13, want);
    shifted_on_host(10, 10, 10, want);
    shifted_on_host(9, 9, 5, want);
    shifted_on_host(10, 10, 20, want);
    for (int i = 0; i < SIZE; i++)
        check_int("x", i, x[i], want[i]);
    return finish();
}
