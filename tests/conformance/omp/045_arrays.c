// Arrays of more dimensions, of variable length, as parameters; long double aside, of every element type.
// expect: launches=6
// needs: separate
#include "../check.h"
#include <stdlib.h>

static void scale(int n, int m, double a[n][m], double by)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] *= by;
}

static void add(int n, int m, double (*a)[m])
{
#pragma omp target teams distribute parallel for map(tofrom: a[1:n-1])
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += 1;
}

int main(void)
{
    int n = 17, m = 23;
    double a[n][m], fixed[3][5][7];
    char text[n];
    for (int i = 0; i < n; i++) {
        text[i] = 'a';
        for (int j = 0; j < m; j++)
            a[i][j] = i + j;
    }
    scale(n, m, a, 2);
    add(n, m, a);
#pragma omp target teams distribute parallel for collapse(3) map(from: fixed)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 7; k++)
                fixed[i][j][k] = 100 * i + 10 * j + k;
    // Arrays of variable length by rule.
#pragma omp target
    for (int i = 0; i < n; i++)
        text[i] += i % 3;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i][0] = -1;
#pragma omp target map(tofrom: fixed[1][2:2][0:7])
    for (int j = 2; j < 4; j++)
        for (int k = 0; k < 7; k++)
            fixed[1][j][k]++;
    for (int i = 0; i < n; i++) {
        check_int("text", i, text[i], 'a' + i % 3);
        for (int j = 0; j < m; j++)
            check_near("a", i * m + j, a[i][j], j == 0 ? -1 : 2 * (i + j) + (i > 0), 0);
    }
    for (int i = 0; i < 105; i++) {
        int row = i / 7;
        check_near("fixed", i, fixed[i / 35][row % 5][i % 7], 100 * (i / 35) + 10 * (row % 5) + i % 7 + (row == 7 || row == 8), 0);
    }
    return finish();
}
