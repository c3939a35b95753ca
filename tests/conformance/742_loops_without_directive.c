// Loops without a directive between loops that have one, as older programs leave them: they are spread as those around them
// where they are parallel too. Arrays that overlap, lengths that are no multiples, and loops that run never.
// devices: cpu opencl cuda
// expect: launches=10
#include "check.h"

#define N 70
#define M 41

static double a[N][M], c[N][N], c_ok[N][N], sum[N][M], w[M][M], w_ok[M][M];

// The inner loop of the second nest adds up: i and j are a launch of two dimensions. Each nest is launched by itself.
static void rank_k(int n, int m, double alpha, double beta, double c[N][N], double a[N][M])
{
    int k;
#pragma acc parallel present(c[0:N], a[0:N])
    {
#pragma acc loop
        for (int i = 0; i < n; i++)
#pragma acc loop
            for (int j = 0; j < n; j++)
                c[i][j] *= beta;
#pragma acc loop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
#pragma acc loop
                for (k = 0; k < m; k++)
                    c[i][j] += alpha * a[i][k] * a[j][k];
    }
}

// Two maps inside a loop without a directive, the second of which reads what the first wrote.
static void rows(int n, int m, double a[N][M], double w[M][M], double sum[N][M])
{
#pragma acc parallel loop present(a[0:N], w[0:M], sum[0:N])
    for (int r = 0; r < n; r++)
        for (int q = 0; q < 1; q++) {
#pragma acc loop
            for (int p = 0; p < m; p++) {
                sum[r][p] = q;
                for (int s = 0; s < m; s++)
                    sum[r][p] += a[r][s] * w[s][p];
            }
#pragma acc loop
            for (int p = 0; p < m; p++)
                a[r][p] = sum[r][p];
        }
}

// The loop without a directive begins where the one around it is, and carries nothing; then it carries a value.
static void triangle(int n, double c[N][N])
{
#pragma acc parallel loop present(c[0:N])
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
#pragma acc loop
            for (int k = 0; k < 2; k++)
                c[i][j] += k + 1;
}

static void carried(int m, double w[M][M])
{
#pragma acc parallel loop present(w[0:M])
    for (int i = 0; i < m; i++)
        for (int j = 1; j < m; j++) {
#pragma acc loop
            for (int k = 0; k < 1; k++)
                w[i][j] += w[i][j - 1] * 0.5;
        }
}

// The same array twice: an iteration of j reads what the one before it wrote.
static void overlap(int n, double *to, const double *from)
{
#pragma acc parallel loop present(to[0 : n * M], from[0 : n * M])
    for (int i = 0; i < n; i++)
        for (int j = 1; j < M; j++)
#pragma acc loop
            for (int k = 0; k < 1; k++)
                to[i * M + j] = from[i * M + j - 1] + 1 + k;
}

int main(void)
{
    double b[N][M];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++)
            b[i][k] = a[i][k] = (i * 7 + k * 3) % 5 - 2;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c_ok[i][j] = c[i][j] = i - j;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            w_ok[i][j] = w[i][j] = (i + j) % 4;
#pragma acc data copy(a, c, w) create(sum)
    {
        const int lengths[] = {N, 67, 0};
        for (int at = 0; at < 3; at++) {
            const int n = lengths[at], m = at == 1 ? 0 : M;
            rank_k(n, m, 1.5, 2, c, a);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    c_ok[i][j] *= 2;
                    for (int k = 0; k < m; k++)
                        c_ok[i][j] += 1.5 * b[i][k] * b[j][k];
                }
        }
        for (int n = 69; n >= 0; n -= 69) {
            rows(n, M, a, w, sum);
            for (int r = 0; r < n; r++) {
                double row[M];
                for (int p = 0; p < M; p++) {
                    row[p] = 0;
                    for (int s = 0; s < M; s++)
                        row[p] += b[r][s] * w_ok[s][p];
                }
                for (int p = 0; p < M; p++)
                    b[r][p] = row[p];
            }
        }
        triangle(N, c);
        triangle(1, c);
        for (int n = N; n > 0; n -= N - 1)
            for (int i = 0; i < n; i++)
                for (int j = i; j < n; j++)
                    c_ok[i][j] += 3;
        carried(M, w);
        carried(3, w);
        for (int m = M; m > 0; m -= M - 3)
            for (int i = 0; i < m; i++)
                for (int j = 1; j < m; j++)
                    w_ok[i][j] += w_ok[i][j - 1] * 0.5;
        overlap(N, a[0], a[0]);
        for (int i = 0; i < N; i++)
            for (int j = 1; j < M; j++)
                b[i][j] = b[i][j - 1] + 1;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check_near("c", i * N + j, c[i][j], c_ok[i][j], 1e-12);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("a", i * M + j, a[i][j], b[i][j], 1e-12);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            check_near("w", i * M + j, w[i][j], w_ok[i][j], 1e-12);
    return finish();
}
