// Loop variables declared before the loop, also those of inner sequential loops: private to each
// thread without a clause.
// expect: launches=2 uploads=2 downloads=2
#include "check.h"

#define N 75
#define M 12

static int a[N][M];

int main(void)
{
    int i, j;
#pragma acc parallel loop gang vector copy(a) private(j)
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            a[i][j] += i * j;
#pragma acc parallel loop gang copy(a)
    for (i = 0; i < N; i++) {
#pragma acc loop vector
        for (j = 0; j < M; j++)
            a[i][j] += 3;
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            check_int("a", i * M + j, a[i][j], i * j + 3);
    return finish();
}
