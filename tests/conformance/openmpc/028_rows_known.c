// An array of pointers that is followed again and again: once it was followed twice the runtime reads it only where the program has
// written to it. Rows are exchanged, shared, moved to another allocation and missing between constructs, and the array itself is
// allocated anew at the place of the old one; each construct sees what the array says then.
// flags: -gpu=nohostloops
// expect: launches=16
// devices: cpu cuda opencl
#include "../check.h"
#include <stdlib.h>

#define N 3000
#define M 8

static double at(int i, int j) { return i % 17 + j; }

static void sum_rows(double **a, double *sums)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < M; j++)
            if (a[i])
                sum += a[i][j] * (j + 1);
        sums[i] = sum;
    }
}

static int wrong(double **a, const double *sums)
{
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < M; j++)
            if (a[i])
                sum += a[i][j] * (j + 1);
        wrong += sum != sums[i];
    }
    return wrong;
}

static void set_rows(double **a, double *rows)
{
    for (int i = 0; i < N; i++)
        a[i] = rows + i * M;
}

int main(void)
{
    double *rows = malloc(N * M * sizeof *rows), *others = malloc(N * M * sizeof *others);
    double *sums = malloc(N * sizeof *sums), **a = malloc(N * sizeof *a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            rows[i * M + j] = at(i, j);
            others[i * M + j] = -at(i, j);
        }
    set_rows(a, rows);
    for (int step = 0; step < 14; step++) {
        if (step == 4) {
            double *first = a[0];
            a[0] = a[N - 1];
            a[N - 1] = first;
        } else if (step == 6)
            a[100] = a[200];
        else if (step == 8)
            a[1500] = others;
        else if (step == 9)
            others[2] = 1e6;
        else if (step == 10)
            a[7] = NULL;
        else if (step == 11)
            rows[8 * M] = 1e7;
        sum_rows(a, sums);
        check_int("wrong rows", __LINE__, wrong(a, sums), 0);
    }

    // At the same places, as a rule, but with other contents.
    free(a);
    free(others);
    a = malloc(N * sizeof *a);
    others = malloc(N * M * sizeof *others);
    for (int i = 0; i < N * M; i++)
        others[i] = i;
    set_rows(a, others);
    sum_rows(a, sums);
    check_int("wrong rows", __LINE__, wrong(a, sums), 0);
    sum_rows(a, sums);
    check_int("wrong rows", __LINE__, wrong(a, sums), 0);
    free(a);
    free(rows);
    free(others);
    free(sums);
    return finish();
}
