// Parameters declared as arrays stand in data clauses without a section: the declaration tells how much they are,
// in whichever way it is written.
// expect: launches=8
#include "check.h"

#define N 12
#define M 9

typedef double row[M];
typedef row matrix[N];
typedef int vector[N];

static void constants(double A[N][M], double B[N - 1 + 1][M])
{
#pragma acc data copyin(A) copyout(B)
    {
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                B[i][j] = 2 * A[i][j];
    }
}

static void variable(int n, int m, double A[restrict static n][m], double B[const n][m])
{
#pragma acc parallel loop collapse(2) copyin(A) copyout(B)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            B[i][j] = 3 * A[i][j];
}

static void named(matrix A, matrix B, const vector add)
{
#pragma acc enter data copyin(A, add) create(B)
#pragma acc parallel loop collapse(2) present(A, B, add)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            B[i][j] = A[i][j] + add[i];
#pragma acc update self(B)
#pragma acc exit data delete(A, add, B)
}

static void in_parentheses(double (A)[N * M], row(*B), double ((C)[static N])[M])
{
#pragma acc parallel loop copyin(A) copy(B[0:N]) copyout(C)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            C[i][j] = A[i * M + j];
            B[i][j] += 1;
        }
}

// Of the array's lines, those from `from` on; of its columns all.
static void ends(int n, int from, double A[n][M])
{
#pragma acc parallel loop copy(A[from:])
    for (int i = from; i < n; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = -A[i][j];
#pragma acc parallel loop copy(A[:][:])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++)
            A[i][j] += 10;
#pragma acc parallel loop copy(A[0:][:])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++)
            A[i][j] += 100;
}

static int old_style(A, n) int A[N];
int n;
{
    int sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(A)
    for (int i = 0; i < n; i++)
        sum += A[i];
    return sum;
}

static double A[N][M], B[N][M], C[N][M];

int main(void)
{
    int add[N];
    for (int i = 0; i < N; i++) {
        add[i] = 10 * i;
        for (int j = 0; j < M; j++)
            A[i][j] = i * M + j;
    }
    constants(A, B);
    for (int i = 0; i < N * M; i++)
        check_near("constants", i, B[i / M][i % M], 2 * i, 0);
    variable(N, M, A, B);
    for (int i = 0; i < N * M; i++)
        check_near("variable", i, B[i / M][i % M], 3 * i, 0);
    named(A, B, add);
    for (int i = 0; i < N * M; i++)
        check_near("named", i, B[i / M][i % M], i + 10 * (i / M), 0);
    in_parentheses(A[0], B, C);
    for (int i = 0; i < N * M; i++) {
        check_near("in parentheses", i, B[i / M][i % M], i + 10 * (i / M) + 1, 0);
        check_near("copied", i, C[i / M][i % M], i, 0);
    }
    ends(N, 4, C);
    for (int i = 0; i < N * M; i++)
        check_near("ends", i, C[i / M][i % M], (i / M < 4 ? i : -i) + 110, 0);
    check_int("old style", 0, old_style(add, N), 10 * N * (N - 1) / 2);
    return finish();
}
