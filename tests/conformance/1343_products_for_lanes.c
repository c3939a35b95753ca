// A product whose sum the program gives to lanes has a thread for each element, where a loop around has as many iterations as are added up. Long
// sums of few elements, sums of neighbouring elements and sums that the next statement shares keep their lanes. Odd sizes, joined loops,
// workers between, loops that count down, and no iterations at all.
// expect: launches=31
// expect-remark: Threads have an element each, and add up by themselves
// expect-remark: Schedule tile64: grid\(j:x, i:y\) block\(16, 16\) register_tile
// expect-remark: Schedule plain: grid\(i:y, j:x\) threads\(k:x\)|grid\(j:x, i:y\) threads\(k:x\)
#include "check.h"

enum { MOST = 150 };
static float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

static void joined(int n)
{
#pragma acc parallel loop gang collapse(2) copyin(a, b) copy(c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void workers(int n)
{
#pragma acc parallel loop gang copyin(a, b) copy(c)
    for (int i = n - 1; i >= 0; i--) {
#pragma acc loop worker
        for (int j = 0; j < n; j++) {
            float sum = c[i * n + j];
#pragma acc loop vector reduction(+ : sum)
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    }
}

static void kernels(void)
{
#pragma acc kernels copyin(a, b) copy(c)
#pragma acc loop independent gang
    for (int i = 0; i < 40; i++) {
#pragma acc loop independent worker
        for (int j = 0; j < 70; j++) {
            float sum = 0;
#pragma acc loop independent vector reduction(max : sum)
            for (int k = 0; k < 50; k++)
                sum = sum < a[i * 50 + k] * b[k * 70 + j] ? a[i * 50 + k] * b[k * 70 + j] : sum;
            c[i * 70 + j] = sum;
        }
    }
}

/* Nobody knows whether the sums are longer than there are elements. */
static void long_sums(int n, int m, int k_end)
{
#pragma acc parallel loop gang collapse(2) copyin(a, b) copy(c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int k = 0; k < k_end; k++)
                sum += a[i * k_end + k] * b[k * m + j];
            c[i * m + j] = sum;
        }
}

/* Lanes have neighbouring elements as it is. */
static void transposed(int n)
{
#pragma acc parallel loop gang collapse(2) copyin(a, b) copy(c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[j * n + k];
            c[i * n + j] = sum;
        }
}

/* A second loop of lanes uses what the first has added up. */
static void shared(int n)
{
#pragma acc parallel loop gang collapse(2) copyin(a, b) copy(c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) {
            float sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
#pragma acc loop vector
            for (int k = 0; k < n / 2; k++)
                c[(i * 2 + j) * (n / 2) + k] = sum + k;
        }
}

static void fill(void)
{
    for (int i = 0; i < MOST * MOST; i++) {
        a[i] = i % 13 - 6;
        b[i] = i % 7 - 3;
        c[i] = i % 5;
    }
}

static double sum_of(int i, int j, int n, int m, int k_end, int transposes)
{
    double sum = 0;
    for (int k = 0; k < k_end; k++)
        sum += a[i * n + k] * (transposes ? b[j * m + k] : b[k * m + j]);
    return sum;
}

int main(void)
{
    const int sizes[] = {0, 1, 17, 64, 130, 149, 150};
    for (int s = 0; s < 7; s++) {
        int n = sizes[s];
        fill();
        joined(n);
        for (int i = 0; i < n * n; i++)
            check_near("joined", i, c[i], sum_of(i / n, i % n, n, n, n, 0), 1e-5);
        fill();
        workers(n);
        for (int i = 0; i < n * n; i++)
            check_near("workers", i, c[i], i % 5 + sum_of(i / n, i % n, n, n, n, 0), 1e-5);
        fill();
        transposed(n);
        for (int i = 0; i < n * n; i++)
            check_near("transposed", i, c[i], sum_of(i / n, i % n, n, n, n, 1), 1e-5);
        fill();
        shared(n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 2 && n > 1; j++)
                for (int k = 0; k < n / 2; k++)
                    check_near("shared", k, c[(i * 2 + j) * (n / 2) + k], k + sum_of(i, j, n, n, n, 0), 1e-5);
        fill();
        int m = n / 3 + 1, k_end = n / 2;
        long_sums(n, m, k_end);
        for (int i = 0; i < n * m; i++)
            check_near("long_sums", i, c[i], sum_of(i / m, i % m, k_end, m, k_end, 0), 1e-5);
    }
    fill();
    kernels();
    for (int i = 0; i < 40 * 70; i++) {
        double most = 0;
        for (int k = 0; k < 50; k++) {
            double product = a[i / 70 * 50 + k] * b[k * 70 + i % 70];
            most = product > most ? product : most;
        }
        check_near("kernels", i, c[i], most, 0);
    }
    return finish();
}
