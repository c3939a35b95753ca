// Rows of arrays of pointers are updated, wholly, in part and one alone; they leave for good with finalize, and begin
// with zeroes.
// needs: separate
// needs: runtime
// expect: launches=3
#include <stdlib.h>
#include <string.h>
#include <openacc.h>
#include "check.h"

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

/* inner parts, all, and a part of one row */
static void updated(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m);
#pragma acc data copyin(A[0:n][0:m])
    {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i][j] = 7;
#pragma acc update device(A[1:n-2][2:m-4])
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i][j] += 1;
#pragma acc update self(A[0:n][0:m])
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i][j] = 0;
#pragma acc update self(A[4][0:3])
    }
    EACH(A, n, m, i == 4 && j < 3 ? 0 : i >= 1 && i < n - 1 && j >= 2 && j < m - 2 ? 8 : i * 100 + j + 1);
}

/* counted twice, and gone at once */
static void finalized(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m), s = 0, want = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            want += A[i][j];
#pragma acc enter data copyin(A[0:n][0:m])
#pragma acc enter data copyin(A[0:n][0:m])
#pragma acc parallel loop collapse(2) reduction(+:s) present(A)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += A[i][j];
    check_near("s", 0, s, want, 1e-9);
#pragma acc exit data delete(A[0:n][0:m]) finalize
    check_near("gone", 0, acc_is_present(A[1], 8), 0, 0);
#pragma acc data copyout(zero: A[0:n][0:m])
    ;
    EACH(A, n, m, 0);
}

int main(void)
{
    updated();
    finalized();
    return finish();
}
