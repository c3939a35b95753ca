// Sections in every form: whole, from the begin, to the end, of rows, of pointers, with the bounds of variables.
// expect: launches=7
// needs: separate
#include "../check.h"
#include <stdlib.h>

#define N 96
#define ROWS 12
#define COLUMNS 20

static int whole[N], matrix[ROWS][COLUMNS];

int main(void)
{
    int first = 16, length = 40;
    int *p = malloc(N * sizeof *p), local[N];
    double cube[3][4][5];
    for (int i = 0; i < N; i++)
        whole[i] = p[i] = local[i] = i;
    for (int i = 0; i < 60; i++)
        (&cube[0][0][0])[i] = i;

#pragma omp target map(tofrom: whole[:])
    for (int i = 0; i < N; i++)
        whole[i]++;
#pragma omp target map(tofrom: whole[:first], local[first:])
    for (int i = 0; i < N; i++)
        if (i < first)
            whole[i] += 100;
        else
            local[i] += 100;
#pragma omp target teams distribute parallel for map(tofrom: p[first:length])
    for (int i = first; i < first + length; i++)
        p[i] = -p[i];
    for (int i = 0; i < N; i++) {
        check_int("whole", i, whole[i], i + 1 + (i < first ? 100 : 0));
        check_int("local", i, local[i], i + (i < first ? 0 : 100));
        check_int("p", i, p[i], i >= first && i < first + length ? -i : i);
    }

#pragma omp target teams distribute parallel for collapse(2) map(from: matrix[2:3][0:COLUMNS])
    for (int i = 2; i < 5; i++)
        for (int j = 0; j < COLUMNS; j++)
            matrix[i][j] = i * j + 1;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            check_int("matrix", i * COLUMNS + j, matrix[i][j], i >= 2 && i < 5 ? i * j + 1 : 0);
#pragma omp target map(tofrom: matrix[7][5:8])
    for (int j = 5; j < 13; j++)
        matrix[7][j] = j;
    for (int j = 0; j < COLUMNS; j++)
        check_int("row", j, matrix[7][j], j >= 5 && j < 13 ? j : 0);

    // One element.
#pragma omp target map(tofrom: whole[3], cube[1][2][3])
    {
        whole[3] = 55;
        cube[1][2][3] = -1;
    }
    check_int("element", 0, whole[3], 55);
    check_int("element", 1, whole[4], 105);
    check_near("cube", 0, cube[1][2][3], -1, 0);

    // A pointer to rows.
    int (*rows)[COLUMNS] = malloc(ROWS * sizeof *rows);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        (*rows)[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: rows[0:ROWS])
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            rows[i][j] *= 2;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        check_int("rows", i, rows[i / COLUMNS][i % COLUMNS], 2 * i);
    free(p);
    free(rows);
    return finish();
}
