// Compressed arrays of two dimensions, with offsets, through pointers and members, in loops of every kind.
#include "check.h"
#include <math.h>
#include <stdlib.h>

enum { ROWS = 37, COLUMNS = 53 };

static double grid[ROWS][COLUMNS], result[ROWS][COLUMNS], packed[ROWS][COLUMNS];

struct field {
    int n;
    double *values;
};

static void stencil(void)
{
#pragma acc data ccopyin(grid[0:ROWS][0:COLUMNS]) ccopyin(bits(20): packed) ccopyout(result[0:ROWS][0:COLUMNS:-10:10])
    {
#pragma acc parallel loop collapse(2) compression(grid, packed, result)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                result[i][j] = grid[i][j] + packed[i][j] + (j > 0 ? grid[i][j - 1] : 0.0);
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double want = grid[i][j] + packed[i][j] + (j > 0 ? grid[i][j - 1] : 0.0);
            check_near("result", i * COLUMNS + j, result[i][j], want, 1e-5);
        }
}

/* A section that does not begin at the first element, and a pointer into the array. */
static void inside(float *a, int n)
{
    float *middle = a + 45;
    int m = n - 100;
#pragma acc data ccopy(a[40:n - 60:-100:100])
    {
#pragma acc parallel loop compression(middle) present(middle[0:m])
        for (int i = 0; i < m; i++)
            middle[i] = middle[i] + 1;
    }
}

static void inside_packed(float *a, int n)
{
    float *middle = a + 45;
    int m = n - 100;
#pragma acc data ccopy(bits(18): a[40:n - 60:-100:100])
    {
#pragma acc parallel loop compression(bits(18): middle) present(middle[0:m])
        for (int i = 0; i < m; i++)
            middle[i] = middle[i] + 1;
    }
}

static void members(struct field *f)
{
    int n = f->n;
#pragma acc parallel loop ccopy(f->values[0:n:0:1000])
    for (int i = 0; i < n; i++)
        f->values[i] = 2 * f->values[i];
}

static double reduced(const float *a, int n)
{
    double sum = 0;
#pragma acc parallel loop gang vector reduction(+:sum) ccopyin(a[0:n])
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

static void gangs(float *a, int rows, int columns)
{
#pragma acc parallel ccopy(bits(12): a[0:rows * columns:-64:64])
    {
#pragma acc loop gang
        for (int i = 0; i < rows; i++) {
            float scale = 1.0f + i % 2;
#pragma acc loop vector
            for (int j = 0; j < columns; j++)
                a[i * columns + j] *= scale;
        }
    }
}

int main(void)
{
    int n = 500;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    double sum = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        grid[0][i] = sin(i);
        packed[0][i] = cos(i);
    }
    stencil();
    for (int i = 0; i < n; i++) {
        a[i] = b[i] = 50 * sinf(i);
        sum += a[i];
        c[i] = i % 31;
    }
    inside(a, n);
    inside_packed(b, n);
    for (int i = 0; i < n; i++) {
        float want = 50 * sinf(i) + (i >= 45 && i < 45 + n - 100);
        check_near("inside", i, a[i], want, 1e-2);
        check_near("inside_packed", i, b[i], want, 1e-3);
    }
    struct field f = {n, malloc(n * sizeof(double))};
    for (int i = 0; i < n; i++)
        f.values[i] = i;
    members(&f);
    for (int i = 0; i < n; i++)
        check_near("members", i, f.values[i], 2 * i, 1e-6);
    check_near("sum", 0, reduced(a, n), sum + n - 100, 0.1);
    gangs(c, 20, 25);
    for (int i = 0; i < n; i++)
        check_near("gangs", i, c[i], i % 31 * (1 + i / 25 % 2), 3 * 64.0 / 4096);
    return finish();
}
