// Sections of variable-length arrays that are contiguous by what their lengths are, not by how these are written:
// all of each row under another name, a part of one row, rows from the second on (OpenMP 5.2 §5.8.3).
// expect: launches=5
#include "../check.h"
#include <stdlib.h>

static void add(int rows, int columns, int width, double a[rows][width])
{
#pragma omp target data map(tofrom: a[0:rows][0:columns])
    {
#pragma omp target teams distribute parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                a[i][j] += 1;
    }
#pragma omp target map(tofrom: a[2][1:3])
    for (int j = 1; j < 4; j++)
        a[2][j] += 10;
#pragma omp target map(tofrom: a[1:2][0:columns])
    for (int i = 1; i < 3; i++)
        for (int j = 0; j < columns; j++)
            a[i][j] += 100;
#pragma omp target map(tofrom: a[3][2:])
    for (int j = 2; j < columns; j++)
        a[3][j] += 1000;
}

static void add_plane(int n, int rows, int columns, float (*a)[rows][columns])
{
#pragma omp target enter data map(to: a[1:1][0:n][0:columns])
#pragma omp target map(present, alloc: a[1][0:n][0:columns])
    for (int j = 0; j < n; j++)
        for (int k = 0; k < columns; k++)
            a[1][j][k] += 5;
#pragma omp target exit data map(from: a[1][0:n][0:columns])
}

int main(void)
{
    int rows = 5, columns = 7;
    double (*a)[columns] = malloc(sizeof(double[rows][columns]));
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i][j] = i * columns + j;
    add(rows, columns, columns, a);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double want = i * columns + j + 1 + 10 * (i == 2 && j >= 1 && j < 4) + 100 * (i == 1 || i == 2)
                          + 1000 * (i == 3 && j >= 2);
            check_near("a", i * columns + j, a[i][j], want, 0);
        }

    int planes = 3, height = 4, width = 6;
    float (*b)[height][width] = calloc(planes, sizeof *b);
    add_plane(2, height, width, b);
    for (int i = 0; i < planes; i++)
        for (int j = 0; j < height; j++)
            for (int k = 0; k < width; k++)
                check_near("b", (i * height + j) * width + k, b[i][j][k], i == 1 && j < 2 ? 5 : 0, 0);
    free(a);
    free(b);
    return finish();
}
