// `target update` of a pointer that is given a shape, OpenMP 5.2 §4.1.5, and sections of variable-length arrays whose rows have
// a constant length.
// expect: launches=5
// needs: separate
#include "../check.h"
#include <stdlib.h>

#define N 10

static void shapes(int n)
{
    int *p = malloc(N * N * sizeof *p);
    for (int i = 0; i < N * N; i++) {
        p[i] = i;
    }
#pragma omp target enter data map(to: p[0:N * N])
#pragma omp target
    for (int i = 0; i < N * N; i++) {
        p[i] = -i;
    }
#pragma omp target update from((([n][N])p)[2:3][4:2])
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int moved = i >= 2 && i < 5 && j >= 4 && j < 6;
            check_true("p[i * N + j] == (moved ? -1 : 1) * (i * N + j)", p[i * N + j] == (moved ? -1 : 1) * (i * N + j));
        }
    }
    for (int i = 0; i < N * N; i++) {
        p[i] = 7;
    }
#pragma omp target update to((([N][n])p)[1:][0:5:2])
#pragma omp target exit data map(from: p[0:N * N])
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            check_true("p[i * N + j] == (i >= 1 && j % 2 == 0 ? 7 : -(i * N + j))", p[i * N + j] == (i >= 1 && j % 2 == 0 ? 7 : -(i * N + j)));
        }
    }
    free(p);
}

static void rows(int n, int k)
{
    int a[n][8], b[n][k][4];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 8; j++) {
            a[i][j] = i * 8 + j;
        }
        for (int j = 0; j < k * 4; j++) {
            b[i][j / 4][j % 4] = 1;
        }
    }
#pragma omp target map(tofrom: a[1:2][0:8]) map(tofrom: b[2:1][0:k][0:4])
    {
        for (int j = 0; j < 8; j++) {
            a[1][j]++;
            a[2][j]++;
        }
        for (int j = 0; j < k; j++) {
            b[2][j][3] = 10 + j;
        }
    }
    // The first part is two rows, not more: what lies behind them would be partly present.
#pragma omp target data map(tofrom: a[1:2][0:8])
#pragma omp target map(tofrom: a[3:1][0:8])
    a[3][7] = -3;
#pragma omp target map(tofrom: a[4:1][2:3])
    a[4][4] = -4;
#pragma omp target enter data map(to: a)
#pragma omp target
    a[0][0] = a[0][1] = -1;
#pragma omp target update from(a[0:1][1:1])
#pragma omp target exit data map(release: a)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 8; j++) {
            int other = i == 0 && j == 1 ? -1 : i == 3 && j == 7 ? -3 : i == 4 && j == 4 ? -4 : 0;
            check_true("a[i][j] == (other ? other : i * 8 + j + (i == 1 || i == 2))", a[i][j] == (other ? other : i * 8 + j + (i == 1 || i == 2)));
        }
        for (int j = 0; j < k; j++) {
            check_true("b[i][j][3] == (i == 2 ? 10 + j : 1) && b[i][j][0] == 1", b[i][j][3] == (i == 2 ? 10 + j : 1) && b[i][j][0] == 1);
        }
    }
}

int main(void)
{
    shapes(N);
    rows(6, 3);
    return finish();
}
