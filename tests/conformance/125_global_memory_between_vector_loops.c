// Two vector loops of a gang that exchange values through an array in device memory, and a statement
// of the gang between them that reads what a lane wrote.
// expect: launches=1 uploads=1 downloads=2
#include "check.h"

#define N 31
#define M 77

int main(void)
{
    static float a[N][M], b[N][M];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = i + j;
#pragma acc parallel loop gang copy(a) copyout(b)
    for (int i = 0; i < N; i++) {
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            a[i][j] = a[i][j] * 2.0f;
        float middle = a[i][M / 2];
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            b[i][j] = a[i][M - 1 - j] - middle;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("b", i * M + j, b[i][j], 2.0f * (M - 1 - j) - 2.0f * (M / 2), 1e-6);
    return finish();
}
