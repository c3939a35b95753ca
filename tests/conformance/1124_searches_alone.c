// Searches with a place that no parallel loop surrounds, in kernels constructs: one gang's lanes share them, in variables of the gang. They
// stand alone, in a loop that the host runs, in two loops, before and behind other loops, and in variables that clauses name.
// expect-remark: The lanes of one gang look for a value and its place
// expect: launches=180
#include "check.h"
#include <math.h>
#include <stdlib.h>

#define N 5000
#define M 40

static double a[N], b[N], m[M][M], want_m[M][M];
static int steps[M], want_steps[M];
static unsigned char bytes[N];

static void alone(int from, int to, double start, int at_start)
{
    double best = start, want = start;
    int at = at_start, place = at_start;
#pragma acc kernels copyin(a)
    for (int i = from; i < to; i++)
        if (a[i] < best) {
            best = a[i];
            at = i;
        }
    for (int i = from; i < to; i++)
        if (a[i] < want)
            want = a[i], place = i;
    if (isnan(want))
        check_true("alone, no number", isnan(best));
    else
        check_near("alone", from, best, want, 0);
    check_int("alone, place", to, at, place);
}

static void with_clauses(int n)
{
    int at = -1, i;
    unsigned char most = 3;
#pragma acc data copyin(bytes) copy(most, at)
    {
#pragma acc kernels present(bytes, most, at)
        for (i = 0; i < n; i++)
            if (most <= bytes[i]) {
                at = i;
                most = bytes[i];
            }
    }
    int want = -1;
    unsigned char value = 3;
    for (int k = 0; k < n; k++)
        if (value <= bytes[k])
            want = k, value = bytes[k];
    check_int("clauses", n, most, value);
    check_int("clauses, place", n, at, want);
}

// The pivot of each step.
static void eliminate(double (*w)[M], int *piv)
{
    for (int k = 0; k < M; k++) {
        double big = 0;
        int p = k;
        for (int i = k; i < M; i++)
            if (fabs(w[i][k]) > big) {
                big = fabs(w[i][k]);
                p = i;
            }
        piv[k] = p;
        for (int j = 0; j < M; j++) {
            double t = w[k][j];
            w[k][j] = w[p][j];
            w[p][j] = t;
        }
        for (int i = k + 1; i < M; i++) {
            double f = w[i][k] / w[k][k];
            for (int j = k; j < M; j++)
                w[i][j] -= f * w[k][j];
        }
    }
}

static void pivots(void)
{
#pragma acc kernels copy(m) copyout(steps)
    for (int k = 0; k < M; k++) {
        double big = 0;
        int p = k;
        for (int i = k; i < M; i++)
            if (fabs(m[i][k]) > big) {
                big = fabs(m[i][k]);
                p = i;
            }
        steps[k] = p;
        for (int j = 0; j < M; j++) {
            double t = m[k][j];
            m[k][j] = m[p][j];
            m[p][j] = t;
        }
        for (int i = k + 1; i < M; i++) {
            double f = m[i][k] / m[k][k];
            for (int j = k; j < M; j++)
                m[i][j] -= f * m[k][j];
        }
    }
}

// In two loops, row and column; what the loops before it have written is looked through, and what it has found is used.
static void corner(int rows, int columns)
{
    double most = -1, want = -1;
    int row = -1, column = -1, r = -1, c = -1;
#pragma acc kernels copyin(a) copy(b)
    {
        for (int i = 0; i < N; i++)
            b[i] = a[i] * a[i];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                if (b[i * columns + j] >= most) {
                    most = b[i * columns + j];
                    row = i;
                    column = j;
                }
        for (int i = 0; i < N; i++)
            b[i] = b[i] - most + row * 3 + column;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (a[i * columns + j] * a[i * columns + j] >= want)
                want = a[i * columns + j] * a[i * columns + j], r = i, c = j;
    check_near("corner", rows, most, want, 0);
    check_int("row", rows, row, r);
    check_int("column", rows, column, c);
    for (int i = 0; i < N; i++)
        check_near("behind it", i, b[i], a[i] * a[i] - want + r * 3 + c, 1e-12);
}

// The value is a sum: the loop inside is a lane's.
static int nearest(int n, int width)
{
    double least = INFINITY;
    int at = -1;
#pragma acc kernels copyin(a)
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < width; k++)
            sum += (a[i * width + k] - 1) * (a[i * width + k] - 1);
        if (sum < least) {
            least = sum;
            at = i;
        }
    }
    return at;
}

// What is found decides how the search goes on, so it is no search.
static int climbs(int n)
{
    double high = 0;
    int count = 0;
#pragma acc kernels copyin(a)
    for (int i = 0; i < n; i++)
        if (a[i] > high) {
            high = a[i];
            count = count + 1;
        }
    return count;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (i * 7919 % 1013 - 500) * 0.5;
        bytes[i] = i * 31 % 251;
    }
    alone(0, N, 1e300, -1);
    alone(17, N - 3, 1e300, -1);
    alone(5, 5, 1e300, -1);
    alone(9, 10, 1e300, -1);
    alone(0, N, -1000, 77);
    alone(0, N, NAN, 78);
    a[100] = a[4000] = NAN;
    alone(0, N, INFINITY, -1);
    a[100] = a[4000] = 3;
    with_clauses(N);
    with_clauses(1);
    with_clauses(0);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            m[i][j] = want_m[i][j] = (i * 37 + j * 101) % 89 + (i == j);
    pivots();
    eliminate(want_m, want_steps);
    for (int k = 0; k < M; k++) {
        check_int("pivot", k, steps[k], want_steps[k]);
        for (int j = 0; j < M; j++)
            check_near("eliminated", k, m[k][j], want_m[k][j], 1e-9);
    }
    corner(50, 100);
    corner(1, N);
    corner(N, 1);
    int want = -1, count = 0;
    double least = INFINITY, high = 0;
    for (int i = 0; i < N / 10; i++) {
        double sum = 0;
        for (int k = 0; k < 10; k++)
            sum += (a[i * 10 + k] - 1) * (a[i * 10 + k] - 1);
        if (sum < least)
            least = sum, want = i;
    }
    check_int("nearest", 0, nearest(N / 10, 10), want);
    for (int i = 0; i < N; i++)
        if (a[i] > high)
            high = a[i], count++;
    check_int("climbs", 0, climbs(N), count);
    return finish();
}
