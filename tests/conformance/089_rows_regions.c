// Arrays of pointers to rows in constructs and data regions: sections with lower bounds, three levels, members of
// structures, structures in rows, kernels, rows that are parts of another array, large ones.
#include <stdlib.h>
#include <string.h>
#include "check.h"

typedef struct {
    int n, m;
    float **rows;
} matrix;

#define EACH(A, n, m, want) \
    for (int i = 0; i < n; i++) \
        for (int j = 0; j < m; j++) \
    check_near(#A, i * m + j, A[i][j], want, 0)

static double **rows_of(int n, int m)
{
    double **a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = malloc(m * sizeof **a);
        for (int j = 0; j < m; j++)
            a[i][j] = i * 100 + j;
    }
    return a;
}

/* in clauses of the construct */
static void in_a_clause(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m), **B = rows_of(n, m);
#pragma acc parallel loop collapse(2) copy(A[0:n][0:m]) copyin(B[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] += B[i][j];
    EACH(A, n, m, 2 * (i * 100 + j));
    EACH(B, n, m, i * 100 + j);
}

/* an array of pointers, and constructs in a data region */
static void array_of_pointers(void)
{
    int m = 31;
    float *rows[8];
    for (int i = 0; i < 8; i++) {
        rows[i] = malloc(m * sizeof(float));
        for (int j = 0; j < m; j++)
            rows[i][j] = i + j;
    }
#pragma acc data copy(rows[0:8][0:m])
    {
#pragma acc parallel loop
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < m; j++)
                rows[i][j] *= 2;
#pragma acc parallel loop present(rows)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < m; j++)
                rows[i][j] += 1;
    }
    EACH(rows, 8, m, 2 * (i + j) + 1);
}

/* inner parts alone */
static void with_lower_bounds(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m);
#pragma acc parallel loop copy(A[2:n-4][3:m-5])
    for (int i = 2; i < n - 2; i++)
        for (int j = 3; j < m - 2; j++)
            A[i][j] = -1;
    EACH(A, n, m, i >= 2 && i < n - 2 && j >= 3 && j < m - 2 ? -1 : i * 100 + j);
}

/* three levels */
static void three_levels(void)
{
    int m = 31;
    double ***T = malloc(4 * sizeof *T);
    for (int i = 0; i < 4; i++)
        T[i] = rows_of(5, 6);
#pragma acc data copy(T[0:4][0:5][0:6])
#pragma acc parallel loop collapse(3)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 6; k++)
                T[i][j][k] += i * 1000;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 6; k++)
                check_near("T", i * 30 + j * 6 + k, T[i][j][k], j * 100 + k + i * 1000, 0);
}

/* a member of a structure */
static void member(void)
{
    int n = 17, m = 31;
    matrix v = {9, 12, 0}, *s = &v;
    s->rows = malloc(9 * sizeof *s->rows);
    for (int i = 0; i < 9; i++) {
        s->rows[i] = malloc(12 * 4);
        for (int j = 0; j < 12; j++)
            s->rows[i][j] = i + j;
    }
#pragma acc parallel loop collapse(2) copy(s->rows[0:s->n][0:s->m])
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->m; j++)
            s->rows[i][j] *= 3;
    EACH(s->rows, 9, 12, 3 * (i + j));
}

/* in a kernels construct */
static void in_kernels(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m);
#pragma acc kernels copy(A[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] += 1;
    EACH(A, n, m, i * 100 + j + 1);
}

/* a thousand rows */
static void large(void)
{
    int m = 31;
    int N = 1000, M = 3000;
    double **A = rows_of(N, M);
#pragma acc parallel loop collapse(2) copy(A[0:N][0:M])
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] *= 2;
    EACH(A, N, M, 2 * (i * 100 + j));
}

/* rows of structures */
static void of_structures(void)
{
    int n = 17, m = 31;
    typedef struct {
        float x, y;
    }
    pt;
    pt **A = malloc(n * sizeof *A);
    for (int i = 0; i < n; i++) {
        A[i] = malloc(m * sizeof **A);
        for (int j = 0; j < m; j++)
            A[i][j] = (pt) {
            i, j
        };
    }
#pragma acc parallel loop copy(A[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
        pt *q = &A[i][j];
        q->x += q->y;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            check_near("x", i * m + j, A[i][j].x, i + j, 0);
}

/* no_create, and default(present) */
static void no_clause_of_its_own(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m);
#pragma acc data copy(A[0:n][0:m])
    {
#pragma acc parallel loop no_create(A[0:n][0:m])
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i][j] += 1;
#pragma acc parallel loop default(present)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i][j] += 1;
    }
    EACH(A, n, m, i * 100 + j + 2);
}

/* rows of a block that is there too */
static void in_one_block(void)
{
    int n = 17, m = 31;
    double *block = malloc(n * m * sizeof *block), **A = malloc(n * sizeof *A);
    for (int i = 0; i < n; i++)
        A[i] = block + i * m;
    for (int k = 0; k < n * m; k++)
        block[k] = k;
#pragma acc data copy(block[0:n*m]) copyin(A[0:n][0:m])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i][j] = block[i * m + j] + 1;
    }
    EACH(A, n, m, i * m + j + 1);
}

int main(void)
{
    in_a_clause();
    array_of_pointers();
    with_lower_bounds();
    three_levels();
    member();
    in_kernels();
    large();
    of_structures();
    no_clause_of_its_own();
    in_one_block();
    return finish();
}
