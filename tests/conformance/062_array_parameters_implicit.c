// A parameter declared as an array that no clause names: where the subscripts do not tell what is used, all that is
// declared goes to the device and back.
// expect: launches=3 uploads=9 downloads=3
#include "check.h"

#define N 12
#define M 9

static void constants(const int where[N], double A[N][M], double B[N])
{
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        B[where[i]] = A[where[i]][1];
}

static void variable(int n, int m, const int where[n], double A[n][m], double B[n * 2])
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        B[2 * where[i]] = A[where[i]][2];
}

// The construct's own n is another.
static void shadowed(int n, int m, const int where[n], double A[n][m], double B[n])
{
    for (int n = 0; n < 1; n++) {
#pragma acc parallel loop
        for (int i = 0; i < m; i++)
            B[where[i]] = A[where[i]][n];
    }
}

int main(void)
{
    int where[N];
    double A[N][M], B[2 * N];
    for (int i = 0; i < N; i++) {
        where[i] = (5 * i + 2) % N;
        B[i] = B[N + i] = -1;
        for (int j = 0; j < M; j++)
            A[i][j] = i * M + j;
    }
    constants(where, A, B);
    for (int i = 0; i < N; i++)
        check_near("constants", i, B[i], i * M + 1, 0);
    for (int i = 0; i < 2 * N; i++)
        B[i] = -1;
    variable(N, M, where, A, B);
    for (int i = 0; i < 2 * N; i++)
        check_near("variable", i, B[i], i % 2 ? -1 : i / 2 * M + 2, 0);
    for (int i = 0; i < 2 * N; i++)
        B[i] = -1;
#pragma acc data copyin(A, where) copy(B)
    shadowed(N, M, where, A, B);
    for (int i = 0; i < N; i++) {
        int reached = 0;
        for (int k = 0; k < M; k++)
            reached |= where[k] == i;
        check_near("shadowed", i, B[i], reached ? i * M : -1, 0);
    }
    return finish();
}
