// Arrays of pointers to rows, a[0:n][0:m]: the rows come and go with them, in one transfer each way; the host's pointers
// stay as they are. Rows that are null, present before, the same twice, in one block; counts; parts of them; async.
// needs: runtime
// expect: launches=6
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

/* what programs do most */
static void come_and_go(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m), **P = malloc(n * sizeof *P);
    memcpy(P, A, n * sizeof *A);
#pragma acc enter data copyin(A[0:n][0:m])
#pragma acc parallel loop collapse(2) present(A[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] += 1;
#pragma acc exit data copyout(A[0:n][0:m])
    EACH(A, n, m, i * 100 + j + 1);
    check_near("pointers", 0, memcmp(A, P, n * sizeof *A), 0, 0);
    check_near("present", 0, acc_is_present(A, n * sizeof *A), 0, 0);
    check_near("row present", 0, acc_is_present(A[3], 8), 0, 0);
}

/* null and aliased rows, and one that was there before */
static void special_rows(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m);
    double *five = A[5];
    A[3] = 0;
    A[7] = A[6];
#pragma acc enter data copyin(five[0:m])
#pragma acc enter data copyin(A[0:n][0:m])
#pragma acc parallel loop present(A[0:n][0:m])
    for (int i = 0; i < n; i++) {
        if (A[i] && i != 7)
            for (int j = 0; j < m; j++)
                A[i][j] += 1;
    }
#pragma acc exit data copyout(A[0:n][0:m])
    for (int i = 0; i < n; i++)
        if (A[i])
            for (int j = 0; j < m; j++)
                check_near("A", i * m + j, A[i][j], (i == 7 ? 6 : i) * 100 + j + (i != 5), 0);
    check_near("five", 0, acc_is_present(five, m * 8), 1, 0);
#pragma acc exit data copyout(five[0:m])
    for (int j = 0; j < m; j++)
        check_near("five", j, five[j], 500 + j + 1, 0);
}

/* one block of rows, counted twice */
static void counted(void)
{
    int n = 17, m = 31;
    double *block = malloc(n * m * sizeof *block), **A = malloc(n * sizeof *A);
    for (int i = 0; i < n; i++)
        A[i] = block + i * m;
    for (int k = 0; k < n * m; k++)
        block[k] = k;
#pragma acc enter data copyin(A[0:n][0:m])
#pragma acc enter data create(A[0:n][0:m])
#pragma acc parallel loop present(A)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] += 1;
#pragma acc exit data copyout(A[0:n][0:m])
    check_near("not yet", 0, A[2][2], 2 * m + 2, 0);
    check_near("present", 0, acc_is_present(A[2], m * 8), 1, 0);
#pragma acc exit data copyout(A[0:n][0:m])
    EACH(A, n, m, i * m + j + 1);
}

/* the host exchanges rows meanwhile: each goes where it came from */
static void exchanged_on_host(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m);
#pragma acc enter data copyin(A[0:n][0:m])
#pragma acc parallel loop present(A[0:n][0:m])
    for (int i = 0; i < n; i++) {
        double *r = A[i];
        for (int j = 0; j < m; j++)
            r[j] = -r[j];
    }
    double *t = A[0];
    A[0] = A[1];
    A[1] = t;
#pragma acc exit data copyout(A[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            check_near("A", i * m + j, A[i][j], -((i == 0 ? 1 : i == 1 ? 0 : i) * 100 + j), 0);
}

/* they go one half after the other */
static void by_halves(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m);
#pragma acc enter data copyin(A[0:n][0:m])
#pragma acc parallel loop present(A[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] += 1;
#pragma acc exit data copyout(A[0:5][0:m])
#pragma acc exit data copyout(A[5:n-5][0:m])
    EACH(A, n, m, i * 100 + j + 1);
}

/* on a queue */
static void on_a_queue(void)
{
    int n = 17, m = 31;
    double **A = rows_of(n, m), **B = rows_of(n, m);
#pragma acc enter data copyin(A[0:n][0:m]) create(B[0:n][0:m]) async(3)
#pragma acc parallel loop present(A[0:n][0:m], B[0:n][0:m]) async(3)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            B[i][j] = 2 * A[i][j];
#pragma acc exit data copyout(B[0:n][0:m]) delete(A[0:n][0:m]) async(3)
#pragma acc wait(3)
    EACH(B, n, m, 2 * (i * 100 + j));
    EACH(A, n, m, i * 100 + j);
}

int main(void)
{
    come_and_go();
    special_rows();
    counted();
    exchanged_on_host();
    by_halves();
    on_a_queue();
    return finish();
}
