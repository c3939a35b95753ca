// Products that the compiler keeps in tiles by itself: transposed operands, int and double, sizes that do not
// divide, another statement around the sum, and a loop that runs zero times.
// env: ACCL_RESIDENT_THREADS=1
// expect: launches=6
#include <stdlib.h>
#include "check.h"

#define N 150
#define M 137
#define K 77

static double x[N][K], y[K][M], z[N][M];
static int p[K][N], q[M][K], r[N][M];

int main(void)
{
    int n = N, m = M, k = K;
    float *a = malloc(n * k * sizeof *a), *b = malloc(k * m * sizeof *b), *c = malloc(n * m * sizeof *c);
    for (int i = 0; i < n * k; i++)
        a[i] = (i * 7) % 13 - 3;
    for (int i = 0; i < k * m; i++)
        b[i] = (i * 5) % 11 - 4;
    for (int i = 0; i < N; i++)
        for (int l = 0; l < K; l++) {
            x[i][l] = (i + 2 * l) % 9;
            p[l][i] = (3 * i + l) % 8;
        }
    for (int l = 0; l < K; l++)
        for (int j = 0; j < M; j++) {
            y[l][j] = (l * 3 + j) % 10 - 5;
            q[j][l] = (l + j) % 6;
        }
#pragma acc parallel loop collapse(2) copyin(a[:n * k], b[:k * m]) copyout(c[:n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 1.0f;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * m + j];
            c[i * m + j] = i == j ? -sum : sum;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 1.0f;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * m + j];
            check_near("c", i * m + j, c[i * m + j], i == j ? -sum : sum, 1e-6);
        }
#pragma acc parallel loop collapse(2) copyin(x, y) copyout(z)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double sum = 0;
            for (int l = 3; l < K; l++)
                sum += x[i][l] * y[l][j];
            z[i][j] = 0.5 * sum;
        }
#pragma acc parallel loop collapse(2) copyin(p, q) copyout(r)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            int sum = 7;
            for (int l = 0; l < K; l++)
                sum = sum - p[l][i] * q[j][l];
            r[i][j] = sum;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double want = 0;
            int count = 7;
            for (int l = 3; l < K; l++)
                want += x[i][l] * y[l][j];
            for (int l = 0; l < K; l++)
                count -= p[l][i] * q[j][l];
            check_near("z", i * M + j, z[i][j], 0.5 * want, 1e-12);
            check_int("r", i * M + j, r[i][j], count);
        }
    for (k = 0; k <= 32; k += 16) {
#pragma acc parallel loop collapse(2) copyin(a[:n * K], b[:K * m]) copyout(c[:n * m])
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float sum = 0.0f;
                for (int l = 0; l < k; l++)
                    sum += a[i * K + l] * b[l * m + j];
                c[i * m + j] = sum;
            }
        for (int i = 0; i < n; i += 7)
            for (int j = 0; j < m; j++) {
                float sum = 0.0f;
                for (int l = 0; l < k; l++)
                    sum += a[i * K + l] * b[l * m + j];
                check_near("c", i * m + j, c[i * m + j], sum, 1e-6);
            }
    }
    free(a);
    free(b);
    free(c);
    return finish();
}
