// Products in register tiles, as people write them, each by the variant's name: sums in array elements that start from C*beta,
// float and double, operands of which both are read along k, two products a sum, factors that change with k alone or with one
// loop alone, locals in the innermost loop, a third loop around, loops without iterations. No size is a multiple of a tile.
// devices: opencl cuda
// env: ACCL_NOTIFY=1 ACCL_VARIANT=floats:*=tile128,*=tile64
// expect: launches=9
// expect-stderr: ^launch \S+ kernel .* function=doubles line=47 .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=floats line=65 .* variant=tile128$
// expect-stderr: ^launch \S+ kernel .* function=rank_k line=84 .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=rank_2k line=101 .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=weighted line=119 .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=batched line=144 .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=bounds line=164 .* variant=tile64$
#include "check.h"

enum { N = 131, M = 75, K = 53, P = 3 };
static double A[N][K], B[K][M], C[N][M], D[N][N], R[N][K], w[K], row[N], T[P][N][K], S[P][N][M];
static float f[N][K], g[K][M], h[N][M];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        row[i] = i % 5 - 2;
        for (int k = 0; k < K; k++) {
            A[i][k] = (i * 5 + k * 3) % 11 - 5;
            R[i][k] = (i * 2 + k * 9) % 7 - 3;
            f[i][k] = (i + k) % 9 - 4;
            for (int p = 0; p < P; p++)
                T[p][i][k] = (i * p + k) % 6 - 2;
        }
        for (int j = 0; j < N; j++)
            D[i][j] = i - j;
        for (int j = 0; j < M; j++)
            C[i][j] = h[i][j] = i + 2 * j;
    }
    for (int k = 0; k < K; k++) {
        w[k] = k % 4 - 1;
        for (int j = 0; j < M; j++)
            B[k][j] = g[k][j] = (k * 7 + j) % 13 - 6;
    }
}

/* The values are such that each sum is exact, whatever the order. */
static void doubles(double alpha, double beta)
{
    int i, j, k;
#pragma acc parallel loop collapse(2) copyin(A, B) copy(C)
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            C[i][j] *= beta;
            for (k = 0; k < K; ++k)
                C[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            double s = (i + 2 * j) * beta;
            for (k = 0; k < K; k++)
                s += alpha * A[i][k] * B[k][j];
            check_near("doubles", i * M + j, C[i][j], s, 0);
        }
}

static void floats(float alpha, float beta)
{
#pragma acc parallel loop collapse(2) copyin(f, g) copy(h)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            float s = h[i][j] * beta;
            for (int k = 0; k < K; k++)
                s += alpha * f[i][k] * g[k][j];
            h[i][j] = s;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            float s = (i + 2 * j) * beta;
            for (int k = 0; k < K; k++)
                s += alpha * f[i][k] * g[k][j];
            check_near("floats", i * M + j, h[i][j], s, 0);
        }
}

static void rank_k(int n, int m, double (*c)[N], double (*a)[K])
{
#pragma acc parallel loop collapse(2) copyin(a[0:n]) copy(c[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                c[i][j] += a[i][k] * a[j][k];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double s = i - j;
            for (int k = 0; k < m && i < n && j < n; k++)
                s += a[i][k] * a[j][k];
            check_near("rank k", i * N + j, c[i][j], s, 0);
            c[i][j] = i - j;
        }
}

static void rank_2k(int n, int m, double (*c)[N], double (*a)[K], double (*b)[K])
{
#pragma acc parallel loop collapse(2) copyin(a[0:n], b[0:n]) copy(c[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++) {
                c[i][j] += 2 * a[i][k] * b[j][k];
                c[i][j] += 2 * b[i][k] * a[j][k];
            }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = i - j;
            for (int k = 0; k < m; k++)
                s += 2 * (a[i][k] * b[j][k] + b[i][k] * a[j][k]);
            check_near("rank 2k", i * N + j, c[i][j], s, 0);
        }
}

static void weighted(double (*restrict c)[M])
{
#pragma acc parallel loop collapse(2) copyin(A, B, w, row) copyout(c[0:N])
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double start = 3, s = start + j;
            for (int k = 0; k < K; k++) {
                double a = A[i][k] * w[k], b = B[k][j];
                a -= row[i];
                s = s + a * b;
            }
            if (s > 0)
                c[i][j] = s;
            else
                c[i][j] = s - i;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double s = 3 + j;
            for (int k = 0; k < K; k++)
                s += (A[i][k] * w[k] - row[i]) * B[k][j];
            check_near("weighted", i * M + j, c[i][j], s > 0 ? s : s - i, 0);
        }
}

static void batched(void)
{
#pragma acc parallel loop collapse(3) copyin(T, B) copyout(S)
    for (int p = 0; p < P; p++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                S[p][i][j] = p;
                for (int k = 0; k < K; k++)
                    S[p][i][j] = S[p][i][j] + T[p][i][k] * B[k][j];
            }
    for (int p = 0; p < P; p++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                double s = p;
                for (int k = 0; k < K; k++)
                    s += T[p][i][k] * B[k][j];
                check_near("batched", (p * N + i) * M + j, S[p][i][j], s, 0);
            }
}

static void bounds(int first, int last, int from, int to)
{
#pragma acc parallel loop collapse(2) copyin(A, B) copy(C)
    for (int i = first; i < N - 1; i++)
        for (int j = first; j < last; j++) {
            C[i][j] = -1;
            for (int k = from; k < to; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double s = -1;
            for (int k = from; k < to; k++)
                s += A[i][k] * B[k][j];
            if (i >= first && i < N - 1 && j >= first && j < last)
                check_near("bounds", i * M + j, C[i][j], s, 0);
        }
}

int main(void)
{
    fill();
    doubles(2, -1);
    floats(2, 4);
    rank_k(N, K, D, A);
    rank_k(N - 4, 0, D, A);
    rank_2k(N - 2, K - 1, D, A, R);
    weighted(C);
    batched();
    bounds(5, M - 3, 2, K - 1);
    bounds(1, M, 7, 3);
    return finish();
}
