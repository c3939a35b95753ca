// NAS FT: the loop inside a shared one runs in parallel, too, where all its iterations use scratch arrays in the same way, and not
// where one goes on with what another left.
// expect: launches=4
#include "../check.h"
#include <stdlib.h>

#define N 16
#define BLOCK 4
#define PAD 6

typedef struct { double re, im; } number;

static number field[N][N][N], want[N][N][N], roots[N];
static int block, dims[3];

static void turn(int m, int n, number r[N], number a[N][PAD], number b[N][PAD])
{
    int i, j, k, step = 1;
    if (m < 1 || m > (int)r[0].re) {
        printf("turn: %d\n", m);
        exit(1);
    }
    for (k = 0; k < m; k++) {
        int half = n / 2;
        for (i = 0; i < half; i++)
            for (j = 0; j < block; j++) {
                int at = (i + step) % half;
                b[2 * i][j].re = a[i][j].re + r[k].im * a[half + at][j].im;
                b[2 * i][j].im = a[i][j].im - a[half + at][j].re;
                b[2 * i + 1][j].re = 0.5 * (a[half + i][j].re - a[i][j].im);
                b[2 * i + 1][j].im = a[half + i][j].im;
            }
        for (i = 0; i < n; i++)
            for (j = 0; j < block; j++) {
                a[i][j].re = b[i][j].re;
                a[i][j].im = b[i][j].im;
            }
        step = 2 * step;
    }
}

static void second(int d[3], number x[N][N][N], number out[N][N][N], number a[N][PAD], number b[N][PAD])
{
    int i, j, k, jj;
#pragma omp for
    for (k = 0; k < d[2]; k++) {
        for (jj = 0; jj <= d[1] - block; jj += block) {
            for (j = 0; j < block; j++)
                for (i = 0; i < d[0]; i++) {
                    a[i][j].re = x[k][j + jj][i].re;
                    a[i][j].im = x[k][j + jj][i].im;
                }
            turn(3, d[0], roots, a, b);
            for (j = 0; j < block; j++)
                for (i = 0; i < d[0]; i++) {
                    out[k][j + jj][i].re = a[i][j].re;
                    out[k][j + jj][i].im = a[i][j].im;
                }
        }
    }
}

static void first(int d[3], number x[N][N][N], number out[N][N][N], number a[N][PAD], number b[N][PAD])
{
    int i, j, k, ii;
#pragma omp for
    for (j = 0; j < d[1]; j++) {
        for (ii = d[0] - block; ii >= 0; ii -= block) {
            for (k = 0; k < d[2]; k++)
                for (i = 0; i < block; i++)
                    a[k][i] = x[k][j][i + ii];
            turn(2, d[2], roots, a, b);
            for (k = 0; k < d[2]; k++)
                for (i = 0; i < block; i++)
                    out[k][j][i + ii] = a[k][i];
        }
    }
}

/* What an iteration finds in the scratch array is the sum of those before it. */
static void sums(int d[3], number out[N][N][N], number a[N][PAD])
{
    int i, k, jj;
#pragma omp for
    for (k = 0; k < d[2]; k++) {
        for (jj = 0; jj < d[1]; jj++) {
            for (i = 0; i < d[0]; i++) {
                if (jj == 0)
                    a[i][0].re = 0.25 * k;
                a[i][0].re += out[k][jj][i].re;
                out[k][jj][i].re = a[i][0].re;
            }
        }
    }
}

/* Each iteration of the inner loop reads what another writes. */
static void shifts(int d[3], number out[N][N][N], number a[N][PAD])
{
    int i, k, jj;
#pragma omp for
    for (k = 0; k < d[2]; k++) {
        for (jj = 1; jj < d[1]; jj++) {
            for (i = 0; i < d[0]; i++)
                a[i][1].im = out[k][jj - 1][i].im;
            for (i = 0; i < d[0]; i++)
                out[k][jj][i].im += 0.5 * a[i][1].im;
        }
    }
}

static void transform(number x[N][N][N], number out[N][N][N])
{
    number a[N][PAD], b[N][PAD];
    second(dims, x, x, a, b);
    first(dims, x, out, a, b);
    sums(dims, out, a);
    shifts(dims, out, a);
}

static void serial(number x[N][N][N])
{
    number a[N][PAD], b[N][PAD];
    for (int k = 0; k < N; k++)
        for (int jj = 0; jj < N; jj += BLOCK) {
            for (int j = 0; j < BLOCK; j++)
                for (int i = 0; i < N; i++)
                    a[i][j] = x[k][j + jj][i];
            turn(3, N, roots, a, b);
            for (int j = 0; j < BLOCK; j++)
                for (int i = 0; i < N; i++)
                    x[k][j + jj][i] = a[i][j];
        }
    for (int j = 0; j < N; j++)
        for (int ii = 0; ii < N; ii += BLOCK) {
            for (int k = 0; k < N; k++)
                for (int i = 0; i < BLOCK; i++)
                    a[k][i] = x[k][j][i + ii];
            turn(2, N, roots, a, b);
            for (int k = 0; k < N; k++)
                for (int i = 0; i < BLOCK; i++)
                    x[k][j][i + ii] = a[k][i];
        }
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++) {
            double sum = 0.25 * k;
            for (int j = 0; j < N; j++)
                x[k][j][i].re = sum += x[k][j][i].re;
            for (int j = 1; j < N; j++)
                x[k][j][i].im += 0.5 * x[k][j - 1][i].im;
        }
}

int main(void)
{
    block = BLOCK;
    for (int i = 0; i < 3; i++)
        dims[i] = N;
    for (int i = 0; i < N; i++) {
        roots[i].re = i == 0 ? 4 : 0;
        roots[i].im = 0.125 * i + 0.5;
    }
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                field[k][j][i].re = want[k][j][i].re = (k * 7 + j * 3 + i) % 11;
                field[k][j][i].im = want[k][j][i].im = (k + j * 5 + i * 2) % 7;
            }
    static number result[N][N][N];
    serial(want);
#pragma omp parallel
    transform(field, result);
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                check_near("re", (k * N + j) * N + i, result[k][j][i].re, want[k][j][i].re, 1e-9);
                check_near("im", (k * N + j) * N + i, result[k][j][i].im, want[k][j][i].im, 1e-9);
            }
    return finish();
}
