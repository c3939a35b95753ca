// Nests of two parallel loops whose iterations have arrays of their own, which loops inside fill and use: gangs run the iterations, and
// lanes the loops inside. The clause may stand on both loops of the nest, on the inner one, or on one that joins both.
// expect: launches=3
// expect-remark: Schedule plain: grid.j:x, k:y. threads.i:x.
#include "check.h"

#define N 70
#define LINE 80

static double u[N][N][N], r[N][N][N], want[N][N][N];

#define PLANES(k, j)                                                                                                \
    for (int i = 0; i < n; i++) {                                                                                   \
        one[i] = u[k][j - 1][i] + u[k][j + 1][i];                                                                   \
        two[i] = u[k - 1][j][i] + u[k + 1][j][i];                                                                   \
    }

static void both(int n)
{
    double one[LINE], two[LINE];
#pragma acc kernels present(u, r)
#pragma acc loop independent private(one, two)
    for (int k = 1; k < n - 1; k++)
#pragma acc loop independent private(one, two)
        for (int j = 1; j < n - 1; j++) {
            PLANES(k, j)
            for (int i = 1; i < n - 1; i++)
                r[k][j][i] += two[i] - (one[i - 1] + one[i + 1]);
        }
}

static void inner(int n)
{
    double one[LINE], two[LINE];
#pragma acc kernels present(u, r)
#pragma acc loop independent
    for (int k = 1; k < n - 1; k++)
#pragma acc loop independent private(one, two)
        for (int j = 1; j < n - 1; j++) {
            PLANES(k, j)
            for (int i = 1; i < n - 1; i++)
                r[k][j][i] += 2 * two[i] - (one[i - 1] + one[i + 1]);
        }
}

static void joined(int n)
{
    double one[LINE], two[LINE];
#pragma acc parallel loop collapse(2) private(one, two) present(u, r)
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++) {
            PLANES(k, j)
            for (int i = 1; i < n - 1; i++)
                r[k][j][i] += 3 * two[i] - (one[i - 1] + one[i + 1]);
        }
}

int main(void)
{
    int n = N;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                u[k][j][i] = (k * 7 + j * 11 + i * 13) % 31;
#pragma acc data copyin(u) copy(r)
    {
        both(n);
        inner(n);
        joined(n);
    }
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++) {
            double one[LINE], two[LINE];
            PLANES(k, j)
            for (int i = 1; i < n - 1; i++)
                want[k][j][i] = 6 * two[i] - 3 * (one[i - 1] + one[i + 1]);
        }
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                check_near("r", (k * N + j) * N + i, r[k][j][i], want[k][j][i], 0);
    return finish();
}
