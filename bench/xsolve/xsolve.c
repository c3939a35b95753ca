/* The diagonals of SP's systems along x in OpenACC. */
#include "xsolve.h"

static void xsolve(int n, cube us, cube rho, cube velocity, cube viscosity, cube diagonals[5], bench_timer *t)
{
#pragma acc data copyin(us[:CELLS], rho[:CELLS]) create(velocity[:CELLS], viscosity[:CELLS]) copyout(diagonals[:5])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop
#pragma omp parallel for
            for (int k = 1; k < n - 1; k++)
#pragma acc loop
                for (int j = 1; j < n - 1; j++) {
                    for (int i = 0; i < n; i++) {
                        velocity[k][j][i] = us[k][j][i];
                        viscosity[k][j][i] = VISCOSITY(rho[k][j][i]);
                    }
                    for (int i = 1; i < n - 1; i++) {
                        diagonals[0][k][i][j] = 0.0f;
                        diagonals[1][k][i][j] = -DTTX2 * velocity[k][j][i - 1] - DTTX1 * viscosity[k][j][i - 1];
                        diagonals[2][k][i][j] = 1.0f + 2.0f * DTTX1 * viscosity[k][j][i];
                        diagonals[3][k][i][j] = DTTX2 * velocity[k][j][i + 1] - DTTX1 * viscosity[k][j][i + 1];
                        diagonals[4][k][i][j] = 0.0f;
                    }
                }
        }
    }
}
