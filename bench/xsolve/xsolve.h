/* Input, check and report; xsolve.c, xsolve_omp.c and the CUDA versions supply the computation. */
#include "../common/bench.h"

#ifndef BENCH_NAME
#define BENCH_NAME "xsolve"
#endif

/* Cells along each direction; the outermost are a frame. */
#ifndef CELLS
#define CELLS 256
#endif

typedef float cube[CELLS][CELLS][CELLS];

/* Coefficients of the scheme. */
#define C3C4 0.1f
#define CON43 1.3333333f
#define C1C5 1.96f
#define DX1 0.75f
#define DX2 0.8f
#define DX5 0.7f
#define DXMAX 0.77f
#define DTTX1 0.03f
#define DTTX2 0.04f

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
/* The viscosity of a cell whose inverse density is `rho`. */
#define VISCOSITY(rho) \
    LARGER(LARGER(DX2 + CON43 * C3C4 * (rho), DX5 + C1C5 * C3C4 * (rho)), LARGER(DXMAX + C3C4 * (rho), DX1))

/* The diagonals of the systems along x of a scalar penta-diagonal solver: velocities and viscosities by rows, then five
   diagonals by columns, so that a later sweep over x reads neighbours (the nest that paper 003 takes from SP, in words of our own). */
static void xsolve(int n, cube us, cube rho, cube velocity, cube viscosity, cube diagonals[5], bench_timer *t);

static double serial_error(int n, cube us, cube rho, cube diagonals[5], int k, int j, int i)
{
    double before = VISCOSITY(rho[k][j][i - 1]), here = VISCOSITY(rho[k][j][i]), behind = VISCOSITY(rho[k][j][i + 1]);
    double want[5] = {0, -DTTX2 * us[k][j][i - 1] - DTTX1 * before, 1 + 2 * DTTX1 * here,
                      DTTX2 * us[k][j][i + 1] - DTTX1 * behind, 0};
    double worst = 0.0;
    for (int d = 0; d < 5; d++)
        worst = bench_worst(worst, diagonals[d][k][i][j], want[d], 1.0);
    return worst;
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 40);
    int reps = bench_arg(argc, argv, 2, 3);
    size_t cells = (size_t)CELLS * CELLS * CELLS;
    if (n < 3 || n > CELLS)
        return fprintf(stderr, "between 3 and %d cells\n", CELLS), 1;
    float *us = (float *)bench_alloc(cells, sizeof *us), *rho = (float *)bench_alloc(cells, sizeof *rho);
    float *velocity = (float *)bench_alloc(cells, sizeof *us), *viscosity = (float *)bench_alloc(cells, sizeof *us);
    float *diagonals = (float *)bench_alloc(5 * cells, sizeof *us);
    bench_fill_float(us, cells, 1, -1.0, 1.0);
    bench_fill_float(rho, cells, 2, 0.5, 2.0);
    cube *all = (cube *)diagonals;

    bench_timer kernel = bench_timer_many(reps);
    xsolve(n, *(cube *)us, *(cube *)rho, *(cube *)velocity, *(cube *)viscosity, all, &kernel);
    memset(diagonals, 0, 5 * cells * sizeof *us);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    xsolve(n, *(cube *)us, *(cube *)rho, *(cube *)velocity, *(cube *)viscosity, all, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    int compared = 0;
    for (int k = 1; k < n - 1; k += 1 + n / 16)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++, compared++)
                error = fmax(error, serial_error(n, *(cube *)us, *(cube *)rho, all, k, j, i));
    printf("compared %d of %d cells with the serial result\n", compared, n * n * n);

    char size[48];
    snprintf(size, sizeof size, "%d", n);
    return bench_report(BENCH_NAME, size, &kernel, app_ms, error, 1e-5);
}
