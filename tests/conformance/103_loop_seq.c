// loop seq inside a parallel loop, and an unmarked inner loop: both run in order in each thread.
// expect: launches=2 uploads=2 downloads=2
#include "check.h"

#define N 66
#define M 20

static int a[N][M];

static void prepare(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i + j) % 4;
}

static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0, sum = 0; j < M; j++) {
            sum += (i + j) % 4;
            check_int("a", i * M + j, a[i][j], sum);
        }
}

int main(void)
{
    prepare();
#pragma acc parallel loop gang vector copy(a)
    for (int i = 0; i < N; i++) {
#pragma acc loop seq
        for (int j = 1; j < M; j++)
            a[i][j] += a[i][j - 1];
    }
    check();
    prepare();
#pragma acc parallel loop gang vector copy(a)
    for (int i = 0; i < N; i++)
        for (int j = 1; j < M; j++)
            a[i][j] += a[i][j - 1];
    check();
    return finish();
}
