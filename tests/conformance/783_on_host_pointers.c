// Attached pointers and arrays of pointers in constructs that the host runs.
// needs: separate
// expect: launches=2
#include <stdlib.h>
#include "check.h"

#define N 30

struct grid
{
    int n;
    double *cells;
};

static double next(double x) { return x + 1; }

int main(void)
{
    double (*volatile f)(double) = next;
    struct grid grid = {N, malloc(N * sizeof(double))};
    double **rows = malloc(3 * sizeof *rows), *original[3];
    for (int i = 0; i < N; i++)
        grid.cells[i] = i;
    for (int r = 0; r < 3; r++) {
        rows[r] = original[r] = malloc(N * sizeof(double));
        for (int i = 0; i < N; i++)
            rows[r][i] = 100 * r + i;
    }
#pragma acc data copyin(grid) copy(grid.cells[0:N]) copy(rows[0:3][0:N])
    {
        for (int i = 0; i < N; i++)
            grid.cells[i] = rows[1][i] = -7;
        grid.n = 0;
#pragma acc serial present(grid)
        for (int i = 0; i < grid.n; i++)
            grid.cells[i] = f(grid.cells[i]);
#pragma acc parallel loop collapse(2) present(rows[0:3][0:N])
        for (int r = 0; r < 3; r++)
            for (int i = 0; i < N; i++)
                rows[r][i] = f(rows[r][i]);
#pragma acc parallel loop present(grid)
        for (int i = 0; i < N; i++)
            grid.cells[i] *= 2;
#pragma acc parallel loop collapse(2) present(rows[0:3][0:N])
        for (int r = 0; r < 3; r++)
            for (int i = 0; i < N; i++)
                rows[r][i] *= 2;
        check_near("cells here", 3, grid.cells[3], -7, 0);
    }
    for (int i = 0; i < N; i++) {
        check_near("cells", i, grid.cells[i], 2 * (i + 1), 0);
        for (int r = 0; r < 3; r++)
            check_near("rows", r * N + i, rows[r][i], 2 * (100 * r + i + 1), 0);
    }
    for (int r = 0; r < 3; r++)
        check_true("row", rows[r] == original[r]);
    return finish();
}
