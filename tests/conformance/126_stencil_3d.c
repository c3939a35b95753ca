// A three-dimensional stencil on a flat array, with halo and swapped roles of two arrays.
// expect: launches=4 uploads=2 downloads=1
#include <stdlib.h>
#include "check.h"

#define AT(i, j, k) (((i) * ny + (j)) * nz + (k))

static void step(int nx, int ny, int nz, const double *restrict u, double *restrict v)
{
#pragma acc parallel loop collapse(3) present(u[:nx * ny * nz], v[:nx * ny * nz])
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            for (int k = 1; k < nz - 1; k++)
                v[AT(i, j, k)] = u[AT(i, j, k)] + 0.1 * (u[AT(i - 1, j, k)] + u[AT(i + 1, j, k)] +
                    u[AT(i, j - 1, k)] + u[AT(i, j + 1, k)] + u[AT(i, j, k - 1)] +
                    u[AT(i, j, k + 1)] - 6.0 * u[AT(i, j, k)]);
}

static void serial_step(int nx, int ny, int nz, const double *u, double *v)
{
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            for (int k = 1; k < nz - 1; k++)
                v[AT(i, j, k)] = u[AT(i, j, k)] + 0.1 * (u[AT(i - 1, j, k)] + u[AT(i + 1, j, k)] +
                    u[AT(i, j - 1, k)] + u[AT(i, j + 1, k)] + u[AT(i, j, k - 1)] +
                    u[AT(i, j, k + 1)] - 6.0 * u[AT(i, j, k)]);
}

int main(void)
{
    int nx = 11, ny = 14, nz = 19, n = nx * ny * nz;
    double *arrays[4];
    for (int i = 0; i < 4; i++) {
        arrays[i] = malloc(n * sizeof(double));
        for (int k = 0; k < n; k++)
            arrays[i][k] = (k * 7) % 11;
    }
    double *u = arrays[0], *v = arrays[1];
#pragma acc data copy(u[:n]) copyin(v[:n])
    for (int s = 0; s < 2; s++) {
        step(nx, ny, nz, u, v);
        step(nx, ny, nz, v, u);
    }
    for (int s = 0; s < 2; s++) {
        serial_step(nx, ny, nz, arrays[2], arrays[3]);
        serial_step(nx, ny, nz, arrays[3], arrays[2]);
    }
    for (int k = 0; k < n; k++)
        check_near("u", k, u[k], arrays[2][k], 1e-12);
    for (int i = 0; i < 4; i++)
        free(arrays[i]);
    return finish();
}
