// Planes whose extents are sums: the loops inside the parallel one are parallel, too, since launches find that rows do not meet.
// expect: launches=1 fallbacks=0
#include "../check.h"
#include <stdlib.h>

static void squares(int nx, int ny, int nz, float *data, const float *other)
{
    float (*restrict r)[ny + 3][nz + 3] = (float (*)[ny + 3][nz + 3]) data;
    const float (*restrict u)[ny + 8][nz + 8] = (const float (*)[ny + 8][nz + 8]) other;
#pragma omp parallel
    {
#pragma omp for schedule(static, 1)
        for (int x = -2; x <= nx; x++)
            for (int y = -2; y <= ny; y++)
#pragma omp simd
                for (int z = -2; z <= nz; z++)
                    r[x + 2][y + 2][z + 2] = u[x + 4][y + 4][z + 4] * u[x + 4][y + 4][z + 4];
    }
}

int main(void)
{
    int nx = 5, ny = 6, nz = 7;
    int size = (nx + 3) * (ny + 3) * (nz + 3), all = (nx + 8) * (ny + 8) * (nz + 8);
    float *r = calloc(size, sizeof *r), *u = malloc(all * sizeof *u);
    for (int i = 0; i < all; i++)
        u[i] = i % 11;
    squares(nx, ny, nz, r, u);
    for (int i = 0; i < size; i++) {
        int x = i / ((ny + 3) * (nz + 3)), y = i / (nz + 3) % (ny + 3), z = i % (nz + 3);
        float from = u[((x + 2) * (ny + 8) + y + 2) * (nz + 8) + z + 2];
        check_near("r", i, r[i], from * from, 0);
    }
    free(r);
    free(u);
    return finish();
}
