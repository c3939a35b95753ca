// gang and worker without a vector loop; then vector alone, and worker and vector on one loop.
// expect: launches=3 uploads=3 downloads=3
#include "check.h"

#define N 19
#define M 50

static int a[N][M];

int main(void)
{
#pragma acc parallel loop gang num_workers(8) copy(a)
    for (int i = 0; i < N; i++) {
#pragma acc loop worker
        for (int j = 0; j < M; j++)
            a[i][j] += i + j;
    }
#pragma acc parallel num_gangs(1) vector_length(64) copy(a)
    {
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            a[3][j] += 1000;
    }
#pragma acc parallel loop gang num_workers(2) vector_length(32) copy(a)
    for (int i = 0; i < N; i++) {
#pragma acc loop worker vector
        for (int j = 0; j < M; j++)
            a[i][j] += 10000;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_int("a", i * M + j, a[i][j], i + j + 10000 + (i == 3 ? 1000 : 0));
    return finish();
}
