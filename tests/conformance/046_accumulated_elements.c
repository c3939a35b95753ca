// Loops with a directive and without a reduction clause that accumulate into an array element or a member: the compiler
// runs them as reductions, and says so.
#include "check.h"
#include <stdlib.h>

#define N 48
#define M 300

typedef struct { double s; int n; } cell;

static double A[N][M], B[N][M], x[M], y[N], tmp[N], low[N], high[N], p[N], total[2];
static double wy[N], wlow[N], whigh[N], wp[N], wtotal[2];
static cell c[N], wc[N];
static int mask[M], count[N], bits[N], wcount[N], wbits[N];

static void sums(int n, int m)
{
#pragma acc parallel copyin(A, B, x) copyout(y) create(tmp)
    {
#pragma acc loop
        for (int i = 0; i < n; i++) {
            tmp[i] = 0;
            y[i] = 0;
#pragma acc loop
            for (int j = 0; j < m; j++) {
                tmp[i] = A[i][j] * x[j] + tmp[i];
                y[i] = B[i][j] * x[j] + y[i];
            }
            y[i] = tmp[i] + y[i];
        }
    }
}

static void extrema(int n, int m)
{
#pragma acc parallel loop gang copyin(A) copy(low, high)
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++) {
            low[i] = fmin(low[i], A[i][j]);
            if (A[i][j] > high[i])
                high[i] = A[i][j];
        }
    }
}

static void members(int n, int m)
{
#pragma acc parallel loop copyin(A, mask) copy(c)
    for (int i = 0; i < n; i++) {
#pragma acc loop
        for (int j = 0; j < m; j++) {
            c[i].s -= A[i][j];
            if (mask[j])
                c[i].n += 1;
        }
    }
}

// Several levels, and integer operators.
static void levels(int n, int m)
{
#pragma acc parallel loop gang copyin(A, mask) copy(p, count, bits)
    for (int i = 0; i < n; i++) {
#pragma acc loop worker
        for (int k = 0; k < 3; k++) {
#pragma acc loop vector
            for (int j = 0; j < m; j++) {
                p[i] += A[i][j] * k;
                count[i] += mask[j];
                bits[i] ^= (mask[j] + j) * k;
            }
        }
    }
}

// No loop is around these: one gang does it.
static void outermost(int n, int m)
{
#pragma acc parallel loop gang vector copyin(A) copy(total)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            total[0] += A[i][j];
#pragma acc parallel loop collapse(2) copyin(A) copy(total)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            total[1] += A[i][j];
}

int main(void)
{
    for (int j = 0; j < M; j++) {
        x[j] = j % 5;
        mask[j] = j % 3 == 1;
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            A[i][j] = (i * 5 + j * 3) % 17 - 8;
            B[i][j] = (i + j) % 3;
        }
        low[i] = wlow[i] = high[i] = whigh[i] = i % 4;
        p[i] = wp[i] = count[i] = wcount[i] = bits[i] = wbits[i] = i;
        c[i].s = wc[i].s = 100 + i;
        c[i].n = wc[i].n = i;
    }
    total[0] = wtotal[0] = 1;
    total[1] = wtotal[1] = 2;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            wy[i] += A[i][j] * x[j] + B[i][j] * x[j];
            wlow[i] = fmin(wlow[i], A[i][j]);
            whigh[i] = fmax(whigh[i], A[i][j]);
            wc[i].s -= A[i][j];
            wc[i].n += mask[j];
            for (int k = 0; k < 3; k++) {
                wp[i] += A[i][j] * k;
                wcount[i] += mask[j];
                wbits[i] ^= (mask[j] + j) * k;
            }
            wtotal[0] += A[i][j];
            wtotal[1] += A[i][j];
        }
    sums(N, M);
    extrema(N, M);
    members(N, M);
    levels(N, M);
    outermost(N, M);
    // Without iterations nothing changes.
    extrema(N, 0);
    members(N, 0);
    levels(N, 0);
    outermost(0, 0);
    for (int i = 0; i < N; i++) {
        check_near("y", i, y[i], wy[i], 1e-12);
        check_near("low", i, low[i], wlow[i], 0);
        check_near("high", i, high[i], whigh[i], 0);
        check_near("c.s", i, c[i].s, wc[i].s, 1e-12);
        check_int("c.n", i, c[i].n, wc[i].n);
        check_near("p", i, p[i], wp[i], 1e-12);
        check_int("count", i, count[i], wcount[i]);
        check_int("bits", i, bits[i], wbits[i]);
    }
    check_near("total", 0, total[0], wtotal[0], 1e-12);
    check_near("total", 1, total[1], wtotal[1], 1e-12);
    return finish();
}
