// Regions and loops in functions that several threads of the host call: each thread runs them by itself. Reductions of whole
// regions.
// expect: launches=3
#include "../check.h"
#include <omp.h>

#define N 256
#define PARTS 8

static double a[PARTS][N], sums[PARTS];

static void add(double *x, double *sum)
{
    double t = 0;
    int i;
#pragma omp parallel for reduction(+ : t)
    for (i = 0; i < N; i++) {
        x[i] = x[i] + i;
        t += x[i];
    }
    *sum = t;
}

static void twice(double *x, double *sum)
{
#pragma omp parallel
    {
        double mine = 0;
        int i;
#pragma omp for
        for (i = 0; i < N; i++) {
            x[i] = x[i] * 2;
            mine = mine + x[i] + 1 - 1;
        }
#pragma omp critical
        *sum += mine;
#pragma omp barrier
#pragma omp single
        x[0] = 7;
    }
}

int main(void)
{
    int count = 0;
    double part = 0;
#pragma omp parallel num_threads(4)
    for (int k = omp_get_thread_num(); k < PARTS; k += omp_get_num_threads()) {
        add(a[k], &sums[k]);
        twice(a[k], &sums[k]);
    }
    add(a[0], &sums[0]);
    for (int k = 0; k < PARTS; k++)
        for (int i = 0; i < N; i++)
            check_near("a", k * N + i, a[k][i], i == 0 ? 7 : (k == 0 ? 3 : 2) * i, 0);
    for (int k = 0; k < PARTS; k++)
        check_near("sum", k, sums[k], N * (N - 1) / 2 * 3 + (k == 0 ? 7 : 0), 0);
#pragma omp parallel reduction(+ : count, part)
    {
        int i;
#pragma omp for
        for (i = 0; i < N; i++) {
            count = count + 2;
            part += i;
        }
#pragma omp for
        for (i = 0; i < N; i++)
            count = 1 + count;
    }
    check_int("count", 0, count, 3 * N);
    check_near("part", 0, part, N * (N - 1) / 2, 0);
    // A thread's part of a sum is no value to decide by.
#pragma omp parallel reduction(+ : count)
    {
        int i;
#pragma omp for
        for (i = 0; i < N; i++) {
            count += 2;
            if (count > 1000000)
                a[1][i] = 0;
        }
    }
    check_int("count", 1, count, 5 * N);
    return finish();
}
