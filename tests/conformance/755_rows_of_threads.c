// Arrays that a create clause brings and of which each iteration has a row for itself: GPUs store them by columns. Rows of
// doubles, floats and ints, that kernels fill, read in another order, and sum up.
// expect: launches=13 uploads=0 downloads=0
#include <stdlib.h>
#include "check.h"

#define PAIRS 13
#define BINS 10

/* As in NAS EP: random pairs, then how many fall into each bin. */
static void count(int n, int blocks, double *bins)
{
    double *pairs = malloc(sizeof(double) * n * 2 * PAIRS), *own = malloc(sizeof(double) * n * BINS);
#pragma acc data create(pairs[0:n*2*PAIRS], own[0:n*BINS])
    {
        for (int b = 0; b < blocks; b++) {
#pragma acc parallel loop gang vector present(pairs, own)
            for (int k = 0; k < n; k++) {
                unsigned seed = k * 7919u + b * 104729u + 1;
                for (int l = 0; l < BINS; l++)
                    own[k * BINS + l] = 0;
                for (int i = 0; i < 2 * PAIRS; i++) {
                    seed = seed * 1103515245u + 12345u;
                    pairs[k * 2 * PAIRS + i] = (seed >> 8) * (1.0 / 16777216.0);
                }
                for (int i = 0; i < PAIRS; i++) {
                    double x = pairs[k * 2 * PAIRS + 2 * i], y = pairs[k * 2 * PAIRS + 2 * i + 1];
                    int l = (int)((x > y ? x : y) * BINS);
                    own[k * BINS + l] += 1.0;
                }
            }
            for (int l = 0; l < BINS && b == 0; l++) {
                double sum = 0;
#pragma acc parallel loop reduction(+ : sum) present(own)
                for (int k = 0; k < n; k++)
                    sum += own[k * BINS + l];
                bins[l] = sum;
            }
        }
    }
    free(pairs);
    free(own);
}

static void count_on_host(int n, double *bins)
{
    for (int l = 0; l < BINS; l++)
        bins[l] = 0;
    for (int k = 0; k < n; k++) {
        unsigned seed = k * 7919u + 1;
        double pairs[2 * PAIRS];
        for (int i = 0; i < 2 * PAIRS; i++) {
            seed = seed * 1103515245u + 12345u;
            pairs[i] = (seed >> 8) * (1.0 / 16777216.0);
        }
        for (int i = 0; i < PAIRS; i++) {
            double x = pairs[2 * i], y = pairs[2 * i + 1];
            bins[(int)((x > y ? x : y) * BINS)] += 1;
        }
    }
}

int main(void)
{
    double bins[BINS], wanted[BINS];
    count(1003, 2, bins);
    count_on_host(1003, wanted);
    for (int l = 0; l < BINS; l++)
        check_near("bins", l, bins[l], wanted[l], 0);
    /* No iterations, and so no launch of these. */
    count(0, 1, bins);
    for (int l = 0; l < BINS; l++)
        check_near("no bins", l, bins[l], 0, 0);

    /* Floats; the sums of rows are all that is needed, and they are reduced on the device. */
    enum { N = 517, C = 7 };
    float line[N * C];
    long backwards = 0;
    float total = 0;
#pragma acc parallel loop create(line) reduction(+ : total, backwards)
    for (long k = N - 1; k >= 0; k--) {
        long start = k * C;
        for (int i = C - 1; i >= 0; i--)
            line[start + i] = k + i;
        for (int i = 0; i < C; i++)
            total += line[start + C - 1 - i];
        for (int i = 1; i <= C; i++)
            backwards += line[k * C + i - 1] == k + i - 1;
    }
    float want = 0;
    for (int k = 0; k < N; k++)
        for (int i = 0; i < C; i++)
            want += k + i;
    check_near("total", 0, total, want, 1e-6);
    check_int("backwards", 0, backwards, N * C);
    return finish();
}
