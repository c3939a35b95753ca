// Several sections of one variable on one directive: each begins, is copied and ends as its clause says, and kernels reach all of them
// from one address. What lies between them is not copied.
// expect: launches=16
#include "check.h"
#include <stdlib.h>

#define N 100

static void fill(int *a)
{
    for (int i = 0; i < 4 * N; i++)
        a[i] = i;
}

static void compute(int n, int *a)
{
    fill(a);
#pragma acc parallel loop copyin(a [0:n]) copyout(a [n:n])
    for (int i = 0; i < n; i++) {
        a[n + i] = 2 * a[i];
        a[i] = -1;
    }
    for (int i = 0; i < n; i++) {
        check_int("copied in alone", i, a[i], i);
        check_int("copied out", i, a[n + i], 2 * i);
        check_int("left alone", i, a[2 * n + i], 2 * n + i);
    }
    fill(a);
#pragma acc kernels copyin(a [0:n]) copy(a [3 * n:n]) async(1)
    for (int i = 0; i < n; i++)
        a[3 * n + i] += a[i];
#pragma acc wait(1)
    for (int i = 0; i < n; i++)
        check_int("far away", i, a[3 * n + i], 3 * n + 2 * i);
}

static void parts_of_one(int n, int *a)
{
    fill(a);
#pragma acc parallel loop copyin(a [0:2 * n]) copy(a [0:n])
    for (int i = 0; i < n; i++)
        a[i] = a[i + n];
#pragma acc parallel loop copy(a [0:2 * n]) copyin(a [n:n])
    for (int i = 0; i < n; i++)
        a[i] += a[i + n];
    for (int i = 0; i < n; i++)
        check_int("a part of another section", i, a[i], 2 * (n + i));
}

static void region(int n, int m, int *a)
{
    fill(a);
#pragma acc data copy(a [0:n], a [m:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[m + i] += a[i];
#pragma acc parallel loop present(a [0:n])
        for (int i = 0; i < n; i++)
            a[i] += 1;
#pragma acc kernels
        {
            for (int i = 0; i < n; i++)
                a[i] += a[m + i];
            for (int i = 0; i < n; i++)
                a[m + i] += 1;
        }
#pragma acc update self(a [m:1])
        check_int("updated", m, a[m], m + 1);
    }
    for (int i = 0; i < n; i++) {
        check_int("first", i, a[i], i + 1 + m + 2 * i);
        check_int("second", i, a[m + i], m + 2 * i + 1);
    }
}

static void dynamic(int n, int *a)
{
    fill(a);
#pragma acc enter data copyin(a [0:n]) create(a [n:n])
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
        a[n + i] = 4 * a[i];
#pragma acc exit data delete (a [0:n])
#pragma acc parallel loop present(a [n:n])
    for (int i = 0; i < n; i++)
        a[n + i] += 1;
#pragma acc exit data copyout(a [n:n])
    for (int i = 0; i < n; i++)
        check_int("enter data", i, a[n + i], 4 * i + 1);
}

static void rows(int n)
{
    static int b[4 * N][3];
    for (int i = 0; i < 4 * N; i++)
        for (int j = 0; j < 3; j++)
            b[i][j] = 3 * i + j;
#pragma acc parallel loop collapse(2) copyin(b [0:10]) copyout(b [20:10])
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 3; j++)
            b[20 + i][j] = -b[i][j];
#pragma acc data copyin(b [n:n] [0:3]) copyout(b [3 * n:n] [0:3])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 3; j++)
                b[3 * n + i][j] = b[n + i][2 - j];
    }
    for (int j = 0; j < 30; j++) {
        check_int("constant rows", j, b[20 + j / 3][j % 3], -j);
        check_int("rows", j, b[3 * n + j / 3][j % 3], 3 * (n + j / 3) + 2 - j % 3);
    }
}

int main()
{
    int *a = malloc(4 * N * sizeof *a);
    compute(N, a);
    parts_of_one(N, a);
    region(N, N, a);
    region(N, 3 * N, a);
    dynamic(N, a);
    rows(N);
    free(a);
    return finish();
}
