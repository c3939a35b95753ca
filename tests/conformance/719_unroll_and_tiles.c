// expect: launches=6
#include "check.h"

/* What tuning chooses from: how often loops inside a thread are unrolled, and the tiles of a product. Sizes leave rests everywhere. */

enum { N = 75 };

static float a[N][N], b[N][N], c[N][N];
static double x[N][N], y[N][N], z[N][N];

static void product_unrolled(void)
{
#pragma accl schedule(block(32, 4) unroll(4))
#pragma acc parallel loop collapse(2) copyin(a, b) copyout(c)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void product_rolled(void)
{
#pragma accl schedule(unroll(1))
#pragma acc parallel loop collapse(2) copyin(a, b) copyout(c)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = N - 1; k >= 0; k--)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void product_flat(void)
{
#pragma accl schedule(register_tile(j:8, i:4, k:16))
#pragma acc parallel loop collapse(2) copyin(a, b) copyout(c)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void product_of_doubles(void)
{
#pragma accl schedule(register_tile(j:2, i:4, k:16))
#pragma acc parallel loop collapse(2) copyin(x, y) copyout(z)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += x[i][k] * y[k][j];
            z[i][j] = sum;
        }
}

static void product_of_wide_doubles(void)
{
#pragma accl schedule(register_tile(j:8, i:4, k:8))
#pragma acc parallel loop collapse(2) copyin(x, y) copyout(z)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += x[i][k] * y[k][j];
            z[i][j] = sum;
        }
}

/* Lanes of a gang: the loop that each runs by itself is the one that is unrolled. */
static double sums_of_rows(void)
{
    static double sum[N];
#pragma accl schedule(unroll(8))
#pragma acc parallel loop gang copyin(x) copyout(sum)
    for (int i = 0; i < N; i++) {
        double all = 0;
#pragma acc loop vector reduction(+:all)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < 3; k++)
                all += x[i][j] * k;
        sum[i] = all;
    }
    double total = 0;
    for (int i = 0; i < N; i++)
        total += sum[i];
    return total;
}

static void check(int which)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double want = 0;
            for (int k = 0; k < N; k++)
                want += x[i][k] * y[k][j];
            check_near(which < 3 ? "c" : "z", which * N * N + i * N + j, which < 3 ? c[i][j] : z[i][j], want, 1e-6);
            c[i][j] = z[i][j] = -1;
        }
}

int main(void)
{
    double total = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = x[i][j] = (i * 7 + j) % 11 - 5;
            b[i][j] = y[i][j] = (i + j * 5) % 13 - 6;
            total += 3 * x[i][j];
        }
    void (*all[])(void) = {product_unrolled, product_rolled, product_flat, product_of_doubles, product_of_wide_doubles};
    for (int which = 0; which < 5; which++) {
        all[which]();
        check(which);
    }
    check_near("sum", 0, sums_of_rows(), total, 1e-12);
    return finish();
}
