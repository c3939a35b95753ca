/* Loops that threads do not share, between some that they do: the device runs those that are parallel, or short, while it has their data. */
// expect: launches=24 downloads<=8
#include "../check.h"

#define N 64
#define STEPS 4

static double u[N][N], v[N][N], sums[STEPS], total;

static void eliminate(double *a, int size)
{
    int i, j, k;
    for (i = 0; i < 8; i++)
        for (j = i + 1; j < 8; j++) {
            a[j * size + i] /= 4 + a[i * size + i];
            for (k = i + 1; k < 8; k++)
                a[j * size + k] -= a[j * size + i] * a[i * size + k];
        }
}

/* Each element needs the one before: the host does that, whoever has the data. */
static void accumulate(double *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] = 0.5 * a[i - 1] + 0.25 * a[i];
}

static void begin(double a[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = 0.01 * ((7 * i + 3 * j) % 19);
}

static void steps(void)
{
    int i, j;
    double sum, last = 0;
    for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for private(j)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (i = 0; i < N; i++) {
            v[i][0] = v[i][1];
            v[i][N - 1] = v[i][N - 2];
        }
        for (j = 0; j < N; j++) {
            v[0][j] = v[1][j] + last;
            v[N - 1][j] = v[N - 2][j];
        }
        sum = 0;
        for (i = 8; i < 40; i++)
            for (j = 3; j < 30; j++)
                sum += v[i][j];
        sums[step] = sum;
        last = 1e-3 * sum;
        eliminate(&v[0][0], N);
#pragma omp parallel for private(j)
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++)
                u[i][j] = v[i][j];
        accumulate(u[5], step < 3 ? 0 : N);
    }
    total = last;
}

static double a[N][N], b[N][N];

int main(void)
{
    begin(u);
    steps();
    begin(a);
    double last = 0;
    for (int step = 0; step < STEPS; step++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 0; i < N; i++)
            b[i][0] = b[i][1], b[i][N - 1] = b[i][N - 2];
        for (int j = 0; j < N; j++)
            b[0][j] = b[1][j] + last, b[N - 1][j] = b[N - 2][j];
        double sum = 0;
        for (int i = 8; i < 40; i++)
            for (int j = 3; j < 30; j++)
                sum += b[i][j];
        check_near("sum", step, sums[step], sum, 1e-9);
        last = 1e-3 * sum;
        eliminate(&b[0][0], N);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i][j] = b[i][j];
        accumulate(a[5], step < 3 ? 0 : N);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check_near("u", i * N + j, u[i][j], a[i][j], 1e-9);
    check_near("total", 0, total, last, 1e-9);
    return finish();
}
