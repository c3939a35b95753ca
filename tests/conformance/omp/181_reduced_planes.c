// Reductions of sections of several dimensions, through pointers to rows of variable and of constant length: all threads update
// the elements.
// expect: launches=4
#include "../check.h"
#include <stdlib.h>

#define N 9

static void sums(int n, int m, int l, double (*row)[m], int (*column)[N], const int *a)
{
#pragma omp target data map(to: a[0:n * m * l])
    {
#pragma omp target teams distribute parallel for collapse(3) reduction(+ : row[0:n][0:m], column[0:l][0:N])
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < l; k++) {
                    row[i][j] += a[(i * m + j) * l + k];
                    column[k][j] += 2 * a[(i * m + j) * l + k];
                }
#pragma omp target teams distribute parallel for collapse(2) reduction(max : column[1:2][0:N])
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < N; j++)
                column[i + 1][j] = column[i + 1][j] > j * 100 ? column[i + 1][j] : j * 100;
    }
}

static void fixed(int n, float (*a)[4][5])
{
#pragma omp target teams distribute parallel for reduction(+ : a[0:2][0:4][0:5])
    for (int i = 0; i < n; i++)
        a[i % 2][i % 4][i % 5] += 1;
#pragma omp target
#pragma omp teams
#pragma omp distribute parallel for reduction(+ : a[0:2][0:4][0:5])
    for (int i = 0; i < n; i++)
        a[i % 2][i % 4][i % 5] += 2;
}

int main(void)
{
    int n = 4, m = 7, l = 5, a[4 * 7 * 5];
    double (*row)[m] = malloc(sizeof(double[n][m]));
    double row_want[4 * 7];
    int column[5][N], column_want[5][N];
    for (int i = 0; i < n * m; i++)
        row_want[i] = row[i / m][i % m] = i;
    for (int i = 0; i < 5 * N; i++)
        column_want[i / N][i % N] = column[i / N][i % N] = -i;
    for (int i = 0; i < n * m * l; i++) {
        a[i] = i % 13;
        row_want[i / l] += a[i];
        column_want[i % l][i / l % m] += 2 * a[i];
    }
    for (int i = 1; i < 3; i++)
        for (int j = 0; j < N; j++)
            column_want[i][j] = column_want[i][j] > j * 100 ? column_want[i][j] : j * 100;
    sums(n, m, l, row, column, a);
    for (int i = 0; i < n * m; i++)
        check_near("row", i, row[i / m][i % m], row_want[i], 0);
    for (int i = 0; i < 5 * N; i++)
        check_int("column", i, column[i / N][i % N], column_want[i / N][i % N]);
    float b[2][4][5] = {0};
    fixed(400, b);
    for (int i = 0; i < 20; i++)
        check_near("fixed", i, b[i % 2][i % 4][i % 5], 60, 0);
    free(row);
    return finish();
}
