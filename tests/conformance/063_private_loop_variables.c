// Private clauses that name variables of loops: on the loop itself, around it, of joined loops, and variables that are
// used otherwise, too.
// expect: launches>=14
#include "check.h"

#define N 16

static int a[N], b[N][N], c[N][N][N];
static int at;

static void check_a(const char *what, int factor)
{
    for (int i = 0; i < N; i++)
        check_int(what, i, a[i], factor * i);
}

static void check_b(const char *what, int factor, int term)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check_int(what, i * N + j, b[i][j], i * factor * j + term);
}

#pragma acc routine vector
static void row(int i, int n, int *line)
{
    int j, t;
#pragma acc loop vector private(j, t)
    for (j = 0; j < n; j++) {
        t = i * 7 * j;
        line[j] = t + 7;
    }
}

int main(void)
{
    int i, j, k, t, kept = 5;

#pragma acc parallel loop private(i)
    for (i = 0; i < N; ++i)
        a[i] = i;
    check_a("own", 1);

#pragma acc parallel private(i)
    {
#pragma acc loop
        for (i = 0; i < N; ++i)
            a[i] = 2 * i;
    }
    check_a("construct", 2);

#pragma acc parallel loop private(j)
    for (i = 0; i < N; ++i)
        for (j = 0; j < N; j++)
            b[i][j] = i * j;
    check_b("inner", 1, 0);

#pragma acc parallel loop private(i, j)
    for (i = 0; i < N; ++i) {
#pragma acc loop private(j)
        for (j = 0; j < N; j++)
            b[i][j] = i * j + 1;
    }
    check_b("both", 1, 1);

#pragma acc parallel loop collapse(3) private(i, j, k)
    for (i = 0; i < N; ++i)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                c[i][j][k] = i * j + k;
    for (i = 0; i < N * N * N; i++)
        check_int("joined", i, c[i / N / N][i / N % N][i % N], i / N / N * (i / N % N) + i % N);

#pragma acc kernels loop private(i, j, k) independent
    for (i = 0; i < N; ++i)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                c[i][j][k] = i * j - k;
    for (i = 0; i < N * N * N; i++)
        check_int("kernels", i, c[i / N / N][i / N % N][i % N], i / N / N * (i / N % N) - i % N);

#pragma acc parallel firstprivate(i)
    {
#pragma acc loop private(i, j, t) gang
        for (i = 0; i < N; ++i) {
#pragma acc loop private(j, t) vector
            for (j = 0; j < N; j++) {
                t = i * j;
                b[i][j] = t + 2;
            }
        }
    }
    check_b("levels", 1, 2);

    // The variable is used outside of the loop over it, too.
#pragma acc parallel loop private(j)
    for (i = 0; i < N; ++i) {
        j = i;
        a[i] = j;
        for (j = 0; j < N; j++)
            b[i][j] = 2 * i * j;
        a[i] += j;
    }
    check_b("used otherwise", 2, 0);
    for (i = 0; i < N; i++)
        check_int("left", i, a[i], i + N);

#pragma acc parallel loop gang private(j)
    for (i = 0; i < N; ++i) {
        j = 3 * i;
        a[i] = j;
#pragma acc loop vector
        for (j = 0; j < N; j++)
            b[i][j] = 3 * i * j;
    }
    check_b("parallel inside", 3, 0);
    check_a("parallel inside", 3);

#pragma acc parallel loop tile(4, 4) private(i, j, t)
    for (i = 0; i < N; ++i)
        for (j = 0; j < N; j++) {
            t = 4 * i * j;
            b[i][j] = t + b[i][j] - 3 * i * j;
        }
    check_b("tile", 4, 0);

#pragma acc kernels
    {
#pragma acc loop private(i)
        for (i = 0; i < N; ++i) {
#pragma acc loop private(j) seq
            for (j = 0; j < N; j++)
                b[i][j] = i * j + 5;
        }
    }
    check_b("kernels, in order", 1, 5);

#pragma acc serial loop private(i)
    for (i = 0; i < N; ++i)
        a[i] = 4 * i;
    check_a("serial", 4);

#pragma acc parallel loop private(at, j)
    for (at = 0; at < N; at++)
        for (j = 0; j < N; j++)
            b[at][j] = at * j + 6;
    check_b("global", 1, 6);

    // The value on the host stays.
#pragma acc parallel loop private(kept)
    for (kept = 0; kept < N; kept++)
        a[kept] = 5 * kept;
    check_a("kept", 5);
    check_int("kept", 0, kept, 5);

#pragma acc parallel loop gang private(i)
    for (i = 0; i < N; i++)
        row(i, N, b[i]);
    check_b("routine", 7, 7);
    return finish();
}
