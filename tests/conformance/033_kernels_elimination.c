// Gauss-Jordan and LU in kernels: the outer loop is the host's, a pivot that is declared in it comes from a serial
// kernel ahead of its declaration.
// expect: launches=130 uploads=3 downloads=25
#include "check.h"

#define N 22

static double a[N][N], want[N][N], lu[N * N], want_lu[N * N], x[N], want_x[N];

static void gauss_jordan(double m[N][N], double v[N])
{
    for (int k = 0; k < N; k++) {
        double pivot = m[k][k];
        for (int j = 0; j < N; j++)
            m[k][j] = j == k ? 1.0 : m[k][j] / pivot;
        v[k] = v[k] / pivot;
        for (int i = 0; i < N; i++) {
            if (i != k) {
                double f = m[i][k];
                for (int j = 0; j < N; j++)
                    m[i][j] = j == k ? 0.0 : m[i][j] - f * m[k][j];
                v[i] -= f * v[k];
            }
        }
    }
}

int main(void)
{
    int k;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            lu[i * N + j] = want_lu[i * N + j] = a[i][j] = want[i][j] =
                i == j ? N + 1.0 : 1.0 / (1 + i + 2 * j);
        x[i] = want_x[i] = i;
    }
#pragma acc kernels copy(a, x)
    for (k = 0; k < N; k++) {
        const double pivot = a[k][k];
#pragma acc loop independent
        for (int j = 0; j < N; j++)
            a[k][j] = j == k ? 1.0 : a[k][j] / pivot;
        x[k] = x[k] / pivot;
#pragma acc loop independent
        for (int i = 0; i < N; i++) {
            if (i != k) {
                double f = a[i][k];
#pragma acc loop independent
                for (int j = 0; j < N; j++)
                    a[i][j] = j == k ? 0.0 : a[i][j] - f * a[k][j];
                x[i] -= f * x[k];
            }
        }
    }
    gauss_jordan(want, want_x);
    for (int i = 0; i < N; i++)
        check_near("x", i, x[i], want_x[i], 1e-10);
    check_int("the loop variable", 0, k, N);
#pragma acc kernels copy(lu)
    for (k = 0; k < N - 1; k++) {
#pragma acc loop independent
        for (int i = k + 1; i < N; i++)
            lu[i * N + k] /= lu[k * N + k];
#pragma acc loop independent
        for (int i = k + 1; i < N; i++)
#pragma acc loop independent
            for (int j = k + 1; j < N; j++)
                lu[i * N + j] -= lu[i * N + k] * lu[k * N + j];
    }
    for (k = 0; k < N - 1; k++)
        for (int i = k + 1; i < N; i++) {
            want_lu[i * N + k] /= want_lu[k * N + k];
            for (int j = k + 1; j < N; j++)
                want_lu[i * N + j] -= want_lu[i * N + k] * want_lu[k * N + j];
        }
    for (int i = 0; i < N * N; i++)
        check_near("lu", i, lu[i], want_lu[i], 1e-10);
    return finish();
}
