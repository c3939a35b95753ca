// `parallel for` as programs for CPUs have it: JACOBI and SPMUL (Lee and Eigenmann 2012), a shared flag, odd sizes.
// expect: launches=23
#include "../check.h"

#define N 67
#define ROWS 101

static double a[N][N], b[N][N], want_a[N][N], want_b[N][N];
static int row_begin[ROWS + 1], column[ROWS * 4];
static float value[ROWS * 4], x[ROWS], y[ROWS];

static void serial_jacobi(int steps, double *difference)
{
    for (int k = 0; k < steps; k++) {
        *difference = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                want_a[i][j] = (want_b[i - 1][j] + want_b[i + 1][j] + want_b[i][j - 1] + want_b[i][j + 1]) / 4;
                *difference = fmax(*difference, fabs(want_a[i][j] - want_b[i][j]));
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                want_b[i][j] = want_a[i][j];
    }
}

static void jacobi(void)
{
    int i, j, k;
    double difference = 0, want = 0, t = 17;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            b[i][j] = want_b[i][j] = (i * 7 + j * 3) % 11;
    for (k = 0; k < 10; k++) {
        difference = 0;
#pragma omp parallel for private(i, j, t) reduction(max : difference) schedule(static, 4) default(shared)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++) {
                t = (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]) / 4;
                a[i][j] = t;
                if (fabs(t - b[i][j]) > difference)
                    difference = fabs(t - b[i][j]);
            }
#pragma omp parallel for private(j) num_threads(3)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                b[i][j] = a[i][j];
    }
    serial_jacobi(10, &want);
    check_near("difference", 0, difference, want, 1e-12);
    check_near("private", 0, t, 17, 0);
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            check_near("b", i * N + j, b[i][j], want_b[i][j], 1e-12);
}

static void sparse(void)
{
    int entries = 0, long_row = 0, last = -1;
    for (int i = 0; i < ROWS; i++) {
        row_begin[i] = entries;
        for (int j = 0; j < i % 4; j++) {
            column[entries] = (i * 31 + j * 17) % ROWS;
            value[entries++] = 0.5f * (j + 1);
        }
        x[i] = i % 10;
    }
    row_begin[ROWS] = entries;
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < ROWS; i++) {
        float sum = 0;
        for (int k = row_begin[i]; k < row_begin[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
        if (row_begin[i + 1] - row_begin[i] == 3)
            long_row = 1;
        last = i;
    }
    for (int i = 0; i < ROWS; i++) {
        float sum = 0;
        for (int k = row_begin[i]; k < row_begin[i + 1]; k++)
            sum += value[k] * x[column[k]];
        check_near("y", i, y[i], sum, 1e-6);
    }
    check_int("flag", 0, long_row, 1);
    check_int("last", 0, last, ROWS - 1);
}

static void without_iterations(int n, int with_device)
{
    int count = 5;
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++)
        count++;
    check_int("empty", 0, count, 5 + n);
#pragma omp parallel for reduction(+ : count) if (with_device)
    for (int i = 0; i < 3; i++)
        count++;
    check_int("if", with_device, count, 8 + n);
}

int main(void)
{
    jacobi();
    sparse();
    without_iterations(0, 1);
    without_iterations(1, 0);
    return finish();
}
