// Loops that accumulate into array elements: what a register may keep and what it must not. Products, several statements and
// several elements a loop, elements that are set before and used after, loops without iterations, conditions, subscripts that
// change, float elements of double sums, arrays that overlap.
#include "check.h"
#include <stdlib.h>

enum { N = 67, M = 41, FAR = 1 << 26 };
static double A[N][M], B[M][N], want[N][N];
static float F[N][M];

static void fill(double (*C)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            C[i][j] = (i * 3 + j) % 7;
}

static void compare(const char *what, double (*got)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check_near(what, i * N + j, got[i][j], want[i][j], 1e-12);
}

#define PRODUCT(PRAGMA, C)                                                                        \
    PRAGMA for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)                               \
    {                                                                                             \
        C[i][j] *= beta;                                                                          \
        for (int k = 0; k < m; k++)                                                               \
            C[i][j] += alpha * a[i][k] * b[k][j];                                                 \
    }
#define UPDATE(PRAGMA, C)                                                                         \
    PRAGMA for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < m; k++)    \
    {                                                                                             \
        C[i][j] += a[i][k] * a[j][k];                                                             \
        C[i][j] -= alpha * b[k][i] * a[j][k];                                                     \
    }

static void product(int n, int m, double alpha, double beta, double (*C)[N], double (*a)[M], double (*b)[N])
{
    PRODUCT(_Pragma("acc parallel loop collapse(2) copy(C[0:N]) copyin(a[0:N], b[0:M])"), C)
    PRODUCT(, want)
}

static void update(int n, int m, double alpha, double (*restrict C)[N], double (*restrict a)[M],
                   double (*restrict b)[N])
{
    UPDATE(_Pragma("acc parallel loop collapse(2) copy(C[0:N]) copyin(a[0:N], b[0:M])"), C)
    UPDATE(, want)
}

static void sums(int n, int m, double *restrict x, double *restrict y, double (*restrict a)[M])
{
#pragma acc parallel loop copyout(x[0:N], y[0:N]) copyin(a[0:N])
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        y[i] = i;
        for (int k = 0; k < m; k++) {
            x[i] = a[i][k] * k + x[i];
            if (a[i][k] > 0)
                y[i] += a[i][k];
        }
        y[i] = 2 * x[i] + y[i];
    }
    for (int i = 0; i < n; i++) {
        double s = 0, t = i;
        for (int k = 0; k < m; k++) {
            s += a[i][k] * k;
            t += a[i][k] > 0 ? a[i][k] : 0;
        }
        check_near("two sums", i, y[i], 2 * s + t, 1e-12);
    }
}

/* Elements whose loop has no iterations lie far outside of the array. */
static void untouched(int n, double *restrict x, double (*restrict a)[M])
{
#pragma acc parallel loop copy(x[0:N]) copyin(a[0:N])
    for (int i = 0; i < 2 * n; i++) {
        int trips = i < n ? 5 : 0;
        long at = i < n ? i : (long)i * FAR;
        for (int k = 0; k < trips; k++)
            x[at] += a[i % n][k];
    }
#pragma acc parallel loop copy(x[0:N]) copyin(a[0:N])
    for (int i = 0; i < 2 * n; i++) {
        long at = i < n ? i : (long)i * FAR;
        for (int k = 0; k < 5; k++)
            if (i < n)
                x[at] += a[i][k];
    }
    for (int i = 0; i < n; i++) {
        double s = 1;
        for (int k = 0; k < 10; k++)
            s += a[i][k % 5];
        check_near("untouched", i, x[i], s, 1e-12);
    }
}

/* Each sum is rounded to float in each iteration. */
static void rounded(int n, int m, float *restrict x, float (*restrict f)[M])
{
#pragma acc parallel loop copyout(x[0:N]) copyin(f[0:N])
    for (int i = 0; i < n; i++) {
        x[i] = 1e8f;
        for (int k = 0; k < m; k++)
            x[i] = x[i] + (double)f[i][k] * 3.0;
    }
    for (int i = 0; i < n; i++) {
        volatile float s = 1e8f;
        for (int k = 0; k < m; k++)
            s = (float)(s + (double)f[i][k] * 3.0);
        check_near("rounded", i, x[i], s, 0);
    }
}

/* The element that the loop reads is another one, or the same, as k goes on; the sums overlap what is added. */
static void overlapping(int n, double *x, double *y)
{
#pragma acc parallel loop present_or_copy(x[0:n * 8])
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            y[i * 8 + 3] += x[i * 8 + k] + 1;
}

static void shifting(int n, double *restrict x)
{
#pragma acc parallel loop copy(x[0:n * 8])
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) {
            x[i * 8 + 2] += x[i * 8 + k];
            x[i * 8 + k] -= x[i * 8 + 2];
        }
}

static void chains(int n)
{
    double *x = malloc(sizeof *x * n * 8), *own = malloc(sizeof *x * n * 8);
    for (int i = 0; i < n * 8; i++)
        x[i] = own[i] = i % 13;
#pragma acc data copy(x[0:n * 8])
    {
        overlapping(n, x, x);
    }
    shifting(n, x);
    for (int i = 0; i < n; i++) {
        double *o = own + i * 8;
        for (int k = 0; k < 8; k++)
            o[3] += o[k] + 1;
        for (int k = 0; k < 8; k++) {
            o[2] += o[k];
            o[k] -= o[2];
        }
    }
    for (int i = 0; i < n * 8; i++)
        check_near("chains", i, x[i], own[i], 1e-12);
    free(x);
    free(own);
}

/* Bounds and subscripts of locals that the iteration sets first. */
static void set_before(int n, int m, double (*restrict C)[N], double (*restrict a)[M], double (*restrict b)[N])
{
#pragma acc parallel loop collapse(2) copy(C[0:N]) copyin(a[0:N], b[0:M])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int row = (i + 1) % n, last = m - 1, weight = j % 3;
            for (int k = 0; k < last; k++)
                C[i][j] += a[row][k] * b[k][j] * weight;
            C[i][j] += weight;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < m - 1; k++)
                want[i][j] += a[(i + 1) % n][k] * b[k][j] * (j % 3);
            want[i][j] += j % 3;
        }
}

int main(void)
{
    static double C[N][N], x[N], y[N];
    static float f[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            A[i][j] = (i * 5 + j * 3) % 11 - 5;
            B[j][i] = (i * 2 + j * 7) % 13 - 6;
            F[i][j] = (i + j * 3) % 17 + 0.7f;
        }
    fill(C), fill(want);
    product(N, M, 1.5, 2, C, A, B);
    compare("product", C);
    product(N, 0, 1.5, 3, C, A, B);
    compare("product without terms", C);
    update(N, M, 0.5, C, A, B);
    compare("update", C);
    update(N, 0, 0.5, C, A, B);
    compare("update without terms", C);
    product(5, 3, 1.25, -1, C, A, B);
    compare("small product", C);
    set_before(N, M, C, A, B);
    compare("set before", C);
    sums(N, M, x, y, A);
    for (int i = 0; i < N; i++)
        x[i] = 1;
    untouched(N, x, A);
    rounded(N, M, f, F);
    chains(50);
    return finish();
}
