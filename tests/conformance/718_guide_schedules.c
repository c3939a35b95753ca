// expect: launches=2
#include <stdio.h>

/* A thread runs eight neighbouring iterations, with 16-byte accesses. */
static void add(int n, float *y, const float *x)
{
#pragma accl schedule(block(128) vectorize(8))
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] += 2 * x[i];
}

/* Rows go over x, and a thread runs two neighbouring columns side by side. */
static void transpose(int n, float *to, const float *from)
{
#pragma accl schedule(grid(i:x, j:y) block(32, 8) unroll_and_jam(j:2))
#pragma acc parallel loop collapse(2) copyin(from[0:n*n]) copyout(to[0:n*n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[j * n + i] = from[i * n + j];
}

int main(void)
{
    enum { N = 37 };
    static float x[N * N], y[N * N], z[N * N];
    int wrong = 0;
    for (int i = 0; i < N * N; i++)
        x[i] = i, y[i] = 1;
    add(N * N, y, x);
    transpose(N, z, y);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += z[j * N + i] != 1 + 2 * (i * N + j);
    printf(wrong ? "FAIL %d wrong\n" : "PASS\n", wrong);
    return wrong != 0;
}
