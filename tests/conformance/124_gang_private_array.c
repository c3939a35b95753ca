// An array private to a gang and shared by its lanes: a first vector loop fills it, a second reads
// what other lanes wrote, so the lanes wait between the two.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 27
#define M 150

int main(void)
{
    static int a[N][M], b[N][M];
    int row[M];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = 1000 * i + j;
#pragma acc parallel loop gang private(row) vector_length(64) copyin(a) copyout(b)
    for (int i = 0; i < N; i++) {
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            row[j] = a[i][j] * 2;
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            b[i][j] = row[M - 1 - j] + row[(j + 1) % M];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_int("b", i * M + j, b[i][j],
                      2 * (1000 * i + M - 1 - j) + 2 * (1000 * i + (j + 1) % M));
    return finish();
}
