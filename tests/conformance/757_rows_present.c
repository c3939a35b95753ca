// A create clause that finds its array present, with values, keeps these and their order: kernels that could follow columns follow
// rows then. The same for arrays that are no whole number of rows, for sections that begin elsewhere, and for clauses
// whose condition does not hold.
// needs: separate
// expect: launches=25
#include <stdlib.h>
#include "check.h"

enum { C = 6 };

/* Adds 1 to the elements of each row, through an array that may be the caller's on the device. */
static void add(float *a, int n, int extra, int condition)
{
#pragma acc data create(a[0:n * C + extra]) if (condition)
    {
#pragma acc parallel loop present(a[0:n * C + extra])
        for (int k = 0; k < n; k++)
            for (int i = 0; i < C; i++)
                a[k * C + i] += 1;
    }
}

/* The same with a section from the second row on. */
static void add_behind(float *a, int n)
{
#pragma acc data create(a[C:(n - 1) * C])
    {
#pragma acc parallel loop
        for (int k = 1; k < n; k++)
            for (int i = 0; i < C; i++)
                a[k * C + i] += 1;
    }
}

static float sum_of_scratch(int n, int extra)
{
    float *scratch = malloc(sizeof(float) * (n * C + extra)), sum = 0;
#pragma acc data create(scratch[0:n * C + extra])
    {
#pragma acc parallel loop
        for (int k = 0; k < n; k++)
            for (int i = 0; i < C; i++)
                scratch[k * C + i] = k % 5 + i;
#pragma acc parallel loop reduction(+ : sum)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < C; i++)
                sum += scratch[k * C + i];
    }
    free(scratch);
    return sum;
}

/* An outer construct stores by columns, the functions it calls meet that. */
static float nested(int n)
{
    float *a = malloc(sizeof(float) * n * C), last = 0;
#pragma acc data create(a[0:n * C])
    {
#pragma acc parallel loop
        for (int k = 0; k < n; k++)
            for (int i = 0; i < C; i++)
                a[k * C + i] = k * C + i;
        add(a, n, 0, 1);
        add_behind(a, n);
        add(a, n, 0, 0);
#pragma acc data create(a[0:n * C])
        {
#pragma acc parallel loop reduction(+ : last)
            for (int k = 0; k < n; k++)
                for (int i = 0; i < C; i++)
                    last += a[k * C + i] - (k * C + i);
        }
    }
    free(a);
    return last;
}

int main(void)
{
    enum { N = 211 };
    float a[N * C + 1];
    for (int e = 0; e <= N * C; e++)
        a[e] = e;
#pragma acc data copy(a)
    {
        add(a, N, 0, 1);
        add(a, N, 1, 1);
        add(a, N, 1, 0);
        add_behind(a, N);
    }
    for (int e = 0; e <= N * C; e++)
        check_near("present", e, a[e], e + (e < C ? 3 : e < N * C ? 4 : 0), 0);

    for (int n = 0; n < 4; n++)
        for (int extra = 0; extra < 2; extra++) {
            float want = 0;
            for (int k = 0; k < n; k++)
                for (int i = 0; i < C; i++)
                    want += k % 5 + i;
            check_near("few rows", n, n + extra ? sum_of_scratch(n, extra) : 0, want, 0);
        }
    check_near("many rows", 0, sum_of_scratch(10001, 1), sum_of_scratch(10001, 0), 1e-5);
    check_near("nested", 0, nested(N), 3 * N * C - C, 1e-6);
    return finish();
}
