// What a launch would cost more than it saves the host runs: loops of few iterations with small arrays of which residency
// brings everything home. The same loop with more iterations, and one whose array is large, are launched.
// A function that another file defines may have loops of its own: such a loop is launched.
// sources: parts/597_double_of.c
// expect: launches=4
// env: ACCL_DEVICE_CHOICE=auto
#include "../check.h"
#include <stdlib.h>

double double_of(double x);

static void scale(double *x, const double *w, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            x[i] += w[k] * i;
}

static double sum_of_rows(double **rows, int n, int m)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            sum += rows[i][k];
    return sum;
}

int main(void)
{
    enum { N = 20, M = 10, LARGE = 4096 };
    double *x = calloc(LARGE, sizeof *x), *w = malloc(M * sizeof *w), *small = calloc(N, sizeof *small);
    double **rows = malloc(N * sizeof *rows);
    for (int k = 0; k < M; k++)
        w[k] = k + 1;
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(M * sizeof **rows);
        for (int k = 0; k < M; k++)
            rows[i][k] = i + k;
    }
    scale(small, w, N, M); // 220 iterations, small arrays: the host
    scale(x, w, N, M);     // 220 iterations, a large array: a launch
    for (int i = 0; i < N; i++) {
        check_near("small", i, small[i], 55.0 * i, 1e-12);
        check_near("large", i, x[i], 55.0 * i, 1e-12);
    }
    check_near("rows", 0, sum_of_rows(rows, N, M), 2800.0, 1e-12); // the host
    double *more = calloc(100, sizeof *more);
    scale(more, w, 100, M); // 1,100 iterations: a launch
    check_near("more", 99, more[99], 55.0 * 99, 1e-12);
    scale(small, w, 0, M); // no iteration: the host
    scale(small, w, N, M);
    check_near("small again", 7, small[7], 110.0 * 7, 1e-12);
    static double fixed[40];
    for (int step = 0; step < 3; step++) {
#pragma omp parallel for
        for (int i = 0; i < 40; i++)
            fixed[i] += step;
    }
    check_near("fixed", 39, fixed[39], 3.0, 1e-12);
#pragma omp parallel for
    for (int i = 0; i < 40; i++)
        fixed[i] = double_of(fixed[i]); // a launch
    check_near("doubled", 39, fixed[39], 6.0, 1e-12);
    int odd = 0;
    while (odd < 1) { // the host cannot count the iterations beforehand
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            for (int k = 0; k < M; k += 1 + (int)w[k])
                small[i] += 1;
        odd++;
    }
    check_near("uncounted", 3, small[3], 110.0 * 3 + 3, 1e-12);
    return finish();
}
