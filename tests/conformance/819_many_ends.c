// One array whose accesses have many different ends, as a field of several components with halos has: the section's length is the
// largest of them, each written once, so that the text of the construct does not double with each.
// expect: launches=2
#include "check.h"
#include <stdlib.h>

#define AT(component, row, column) (component) * (ny + 4) * (nx + 4) + (row) * (nx + 4) + (column)

static void walls(int nx, int ny, double *field, const double *scale)
{
#pragma acc parallel loop collapse(2)
    for (int c = 0; c < 4; c++) {
        for (int i = 0; i < nx + 4; i++) {
            if (c == 2) {
                field[AT(2, 0, i)] = 0;
                field[AT(2, 1, i)] = 0;
                field[AT(2, ny + 2, i)] = 0;
                field[AT(2, ny + 3, i)] = 0;
            } else if (c == 1) {
                field[AT(1, 0, i)] = field[AT(1, 2, i)] / scale[2] * scale[0];
                field[AT(1, 1, i)] = field[AT(1, 2, i)] / scale[2] * scale[1];
                field[AT(1, ny + 2, i)] = field[AT(1, ny + 1, i)] / scale[ny + 1] * scale[ny + 2];
                field[AT(1, ny + 3, i)] = field[AT(1, ny + 1, i)] / scale[ny + 1] * scale[ny + 3];
            } else {
                field[AT(c, 0, i)] = field[AT(c, 2, i)];
                field[AT(c, 1, i)] = field[AT(c, 2, i)];
                field[AT(c, ny + 2, i)] = field[AT(c, ny + 1, i)];
                field[AT(c, ny + 3, i)] = field[AT(c, ny + 1, i)];
            }
        }
    }
}

static void sides(int nx, int ny, double *field)
{
#pragma acc parallel loop
    for (int k = 0; k < ny; k++) {
        field[AT(0, k + 2, 0)] = field[AT(0, k + 2, nx)];
        field[AT(0, k + 2, 1)] = field[AT(0, k + 2, nx + 1)];
        field[AT(1, k + 2, nx + 2)] = field[AT(1, k + 2, 2)];
        field[AT(1, k + 2, nx + 3)] = field[AT(1, k + 2, 3)];
        field[AT(2, k + 2, 0)] = field[AT(2, k + 2, nx)];
        field[AT(2, k + 2, 1)] = field[AT(2, k + 2, nx + 1)];
        field[AT(3, k + 2, nx + 2)] = field[AT(3, k + 2, 2)];
        field[AT(3, k + 2, nx + 3)] = field[AT(3, k + 2, 3)];
    }
}

int main(void)
{
    const int nx = 37, ny = 21, n = 4 * (ny + 4) * (nx + 4);
    double *field = malloc(n * sizeof(double)), *scale = malloc((ny + 4) * sizeof(double));
    for (int i = 0; i < n; i++)
        field[i] = i % 101;
    for (int i = 0; i < ny + 4; i++)
        scale[i] = 1 + i % 3;
    walls(nx, ny, field, scale);
    sides(nx, ny, field);
    for (int c = 0; c < 4; c++) {
        for (int k = 0; k < ny + 4; k++) {
            for (int i = 0; i < nx + 4; i++) {
                int inside = k < 2 ? 2 : k > ny + 1 ? ny + 1 : k, column = i;
                if (k == inside && c % 2 == 0 && i < 2)
                    column = i + nx;
                if (k == inside && c % 2 == 1 && i > nx + 1)
                    column = i - nx;
                double expected = (AT(c, inside, column)) % 101;
                if (k != inside && c == 2)
                    expected = 0;
                if (k != inside && c == 1)
                    expected = expected / scale[inside] * scale[k];
                check_near("field", AT(c, k, i), field[AT(c, k, i)], expected, 1e-12);
            }
        }
    }
    free(field);
    free(scale);
    return finish();
}
