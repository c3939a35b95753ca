// Rows of a sparse matrix for each of several vectors, under a clause that joins the loops over vectors and rows: a launch chooses how
// many lanes a row has, as under a single loop. Counters of any kind, bounds that leave nothing, sums over all rows.
// expect-remark: Schedule lanes: grid\(row:x\) threads\(k:x\)
// expect: launches=6
// devices: cpu cuda opencl
#include "check.h"
#include <stdlib.h>

#define N 130
#define B 7

static int start[N + 1], column[N * 40];
static double value[N * 40], x[B * N], y[B * N], want[B * N];

static void multiply(int vectors, int n)
{
#pragma acc parallel loop collapse(2) copyin(start, column, value, x) copy(y)
    for (int b = 0; b < vectors; b++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[b * N + column[k]];
            y[b * N + i] = sum;
        }
}

static double backwards(int first, int last)
{
    int b, k;
    long i;
    double total = 0, sum;
#pragma acc parallel loop collapse(2) copyin(start, column, value, x) copy(y) private(sum, k) reduction(+ : total)
    for (b = B - 1; b >= 0; b -= 2)
        for (i = first; i <= last; i += 3) {
            sum = 0;
            for (k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[b * N + column[k]];
            y[b * N + i] = -sum;
            total += sum;
        }
    return total;
}

static void blocks(int n)
{
#pragma acc parallel loop collapse(3) copyin(start, column, value, x) copy(y)
    for (int b = 0; b < B; b++)
        for (unsigned char h = 0; h < 2; h++)
            for (int i = 0; i < n / 2; i++) {
                double sum = 0;
                int row = h * (n / 2) + i;
                for (int k = start[row]; k < start[row + 1]; k++)
                    sum += value[k] * x[b * N + column[k]];
                y[b * N + row] = 2 * sum;
            }
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        start[i + 1] = start[i] + i * 7 % 40;
        for (int k = start[i]; k < start[i + 1]; k++) {
            column[k] = k * 13 % N;
            value[k] = k % 5 - 1.5;
        }
    }
    for (int i = 0; i < B * N; i++)
        x[i] = i % 11 * 0.25;
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N; i++)
            for (int k = start[i]; k < start[i + 1]; k++)
                want[b * N + i] += value[k] * x[b * N + column[k]];

    for (int n = N; n >= N - 1; n--) {
        for (int i = 0; i < B * N; i++)
            y[i] = 1000;
        multiply(B, n);
        for (int i = 0; i < B * N; i++)
            check_near("product", i, y[i], i % N < n ? want[i] : 1000, 1e-12);
    }
    // Both counts are negative, then one is zero.
    multiply(-2, -3);
    multiply(B, 0);
    check_near("untouched", 0, y[0], want[0], 1e-12);

    for (int turn = 0; turn < 2; turn++) {
        int first = 2 + turn, last = N - 1;
        double total = backwards(first, last), sum = 0;
        for (int b = B - 1; b >= 0; b -= 2)
            for (int i = first; i <= last; i += 3) {
                sum += want[b * N + i];
                check_near("backwards", b * N + i, y[b * N + i], -want[b * N + i], 1e-12);
            }
        check_near("total", turn, total, sum, 1e-9);
    }
    for (int n = N; n >= N - 2; n -= 2) {
        blocks(n);
        for (int b = 0; b < B; b++)
            for (int i = 0; i < n; i++)
                check_near("blocks", b * N + i, y[b * N + i], 2 * want[b * N + i], 1e-12);
    }
    return finish();
}
