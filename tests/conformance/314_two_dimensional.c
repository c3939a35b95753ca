// The ways C has a matrix: static, variable length, pointer to rows, parameter a[n][m], row sections.
// expect: launches=5 uploads=5 downloads=5
#include <stdlib.h>
#include "check.h"

#define N 15
#define M 22

static double fixed[N][M];

static void parameter(int n, int m, double a[n][m])
{
#pragma acc parallel loop collapse(2) copy(a[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += 1.0;
}

static void pointer_to_row(int n, int m, double (*restrict a)[m])
{
#pragma acc parallel loop gang copy(a[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            a[i][j] += 2.0;
    }
}

static void check(const char *what, int n, int m, double (*a)[m], int low, int high, double value)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            check_near(what, i * m + j, a[i][j], i >= low && i < high ? value : 0.0, 0.0);
}

int main(void)
{
    int n = N, m = M;
    double variable[n][m];
    double(*heap)[m] = calloc(n, sizeof *heap);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            variable[i][j] = 0.0;
    parameter(n, m, fixed);
    pointer_to_row(n, m, heap);
#pragma acc parallel loop collapse(2) copy(variable[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            variable[i][j] = 3.0;
    check("fixed", n, m, fixed, 0, n, 1.0);
    check("heap", n, m, heap, 0, n, 2.0);
    check("variable", n, m, variable, 0, n, 3.0);

#pragma acc parallel loop collapse(2) copy(fixed[4:6][0:M])
    for (int i = 4; i < 10; i++)
        for (int j = 0; j < M; j++)
            fixed[i][j] = 7.0 * fixed[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            check_near("fixed", i * m + j, fixed[i][j], i >= 4 && i < 10 ? 7.0 : 1.0, 0.0);
#pragma acc parallel loop collapse(2) copy(heap[3:5][0:m])
    for (int i = 3; i < 8; i++)
        for (int j = 0; j < m; j++)
            heap[i][j] *= 5.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            check_near("heap", i * m + j, heap[i][j], i >= 3 && i < 8 ? 10.0 : 2.0, 0.0);
    free(heap);
    return finish();
}
