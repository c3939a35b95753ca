// tile over two loops, with sizes that do not divide the bounds, and with a size left to the compiler.
// expect: launches=2 uploads=2 downloads=2
#include "check.h"

#define N 70
#define M 45

static float a[N][M], b[M][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = i * 100 + j;
#pragma acc parallel loop tile(16, 8) copyin(a) copyout(b)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            b[j][i] = a[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("b", j * N + i, b[j][i], i * 100 + j, 0.0);
#pragma acc parallel loop tile(*, 4) copyin(a) copyout(b)
    for (int i = 1; i < N; i++)
        for (int j = 1; j < M; j++)
            b[j][i] = a[i - 1][j - 1];
    for (int i = 1; i < N; i++)
        for (int j = 1; j < M; j++)
            check_near("b", j * N + i, b[j][i], (i - 1) * 100 + j - 1, 0.0);
    return finish();
}
