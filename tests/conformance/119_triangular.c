// Inner loops whose bounds depend on the outer index: sequential, and across the vector lanes.
// expect: launches=2 uploads=2 downloads=2
#include "check.h"

#define N 91

static int a[N][N];

int main(void)
{
#pragma acc parallel loop gang vector copy(a)
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] += i + j;
#pragma acc parallel loop gang copy(a)
    for (int i = 0; i < N; i++) {
#pragma acc loop vector
        for (int j = i + 1; j < N; j++)
            a[i][j] -= i * j;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check_int("a", i * N + j, a[i][j], j <= i ? i + j : -i * j);
    return finish();
}
