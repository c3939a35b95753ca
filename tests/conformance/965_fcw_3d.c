// fcw in three dimensions, arrays of constant and of variable extents, loops that count down and by two.
// expect: launches=3
#include <stdlib.h>
#include "check.h"

#define X 21
#define Y 18
#define Z 35

static float a[X][Y][Z], b[X][Y][Z];

static void in_place(int nx, int ny, int nz, float v[nx][ny][nz])
{
#pragma acc parallel loop vector(2) copy(v[:nx][:ny][:nz])
    for (int i = 0; i < nx; i++)
#pragma acc loop vector(4)
        for (int j = 0; j < ny; j++)
#pragma acc loop vector(16)
            for (int k = 0; k < nz; k++) {
#pragma acc fcw FETCH_CHANNEL_WB(v[i:0:0:j:0:0:k:0:0])
                if (k % 16 > 0)
                    v[i][j][k] += v[i][j][k - 1];
            }
}

int main(void)
{
    float *v = malloc(X * Y * Z * sizeof *v);
    for (int i = 0; i < X; i++)
        for (int j = 0; j < Y; j++)
            for (int k = 0; k < Z; k++) {
                a[i][j][k] = v[(i * Y + j) * Z + k] = (i * 5 + j * 3 + k) % 11;
                b[i][j][k] = 0;
            }
#pragma acc parallel loop vector(2) copyin(a) copy(b)
    for (int i = 1; i < X - 1; i++)
#pragma acc loop vector(4)
        for (int j = 1; j < Y - 1; j++)
#pragma acc loop vector(32)
            for (int k = 1; k < Z - 1; k++) {
#pragma acc fcw FETCH_ONLY(a[i:1:1:j:1:1:k:1:1])
                b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] +
                             a[i][j][k - 1] + a[i][j][k + 1];
            }
    for (int i = 1; i < X - 1; i++)
        for (int j = 1; j < Y - 1; j++)
            for (int k = 1; k < Z - 1; k++)
                check_near("b", (i * Y + j) * Z + k, b[i][j][k],
                           a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] +
                               a[i][j][k + 1], 1e-6);
    in_place(X, Y, Z, (float(*)[Y][Z])v);
    for (int i = 0; i < X; i++)
        for (int j = 0; j < Y; j++)
            for (int k = 0; k < Z; k++) {
                float want = a[i][j][k] + (k % 16 > 0 ? a[i][j][k - 1] : 0);
                check_near("v", (i * Y + j) * Z + k, v[(i * Y + j) * Z + k], want, 1e-6);
            }
    int n = X * Y * Z;
    float *w = malloc(n * sizeof *w);
#pragma acc parallel loop vector(64) copyin(v[:n]) copyout(w[:n])
    for (int i = n - 1; i >= 0; i -= 2) {
#pragma acc fcw FETCH_ONLY(v[i:1:0])
        {
            w[i] = v[i] - (i > 0 ? v[i - 1] : 0);
            if (i > 0)
                w[i - 1] = v[i - 1];
        }
    }
    for (int i = n - 1; i >= 0; i -= 2) {
        check_near("w", i, w[i], v[i] - (i > 0 ? v[i - 1] : 0), 1e-6);
        if (i > 0)
            check_near("w", i - 1, w[i - 1], v[i - 1], 1e-6);
    }
    free(v);
    free(w);
    return finish();
}
