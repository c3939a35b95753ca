/* A sparse matrix by rows, in functions, and a loop that stays with the threads: its order is that of the output. */
#include <stdio.h>
#include <stdlib.h>

static void product(int n, const int *start, const int *column, const double *value, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

int main(void)
{
    int n = 500;
    int *start = malloc((n + 1) * sizeof *start), *column = malloc(3 * n * sizeof *column), entries = 0;
    double *value = malloc(3 * n * sizeof *value), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        start[i] = entries;
        x[i] = i % 7;
        for (int k = i - 1; k <= i + 1; k++)
            if (k >= 0 && k < n)
                column[entries] = k, value[entries++] = k == i ? 2 : -1;
    }
    start[n] = entries;
    for (int step = 0; step < 3; step++)
        product(n, start, column, value, x, y);
    printf("%g\n", dot(n, x, y));
#pragma omp parallel for ordered
    for (int i = 0; i < 3; i++) {
#pragma omp ordered
        printf("%g ", y[i]);
    }
    printf("\n");
    return 0;
}
