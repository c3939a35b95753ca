// gang, worker and vector with sizes on the loops of a kernels region.
// expect: launches=3 uploads=3 downloads=3
#include "check.h"

#define N 29
#define M 170

static float a[N][M];

int main(void)
{
#pragma acc kernels copy(a)
#pragma acc loop independent gang(8) worker(2)
    for (int i = 0; i < N; i++) {
#pragma acc loop independent vector(64)
        for (int j = 0; j < M; j++)
            a[i][j] += i + 0.25f * j;
    }
#pragma acc kernels copy(a)
#pragma acc loop independent gang(num : 4)
    for (int i = 0; i < N; i++) {
#pragma acc loop independent vector(length : 32)
        for (int j = 0; j < M; j++)
            a[i][j] *= 2.0f;
    }
#pragma acc parallel copy(a)
#pragma acc loop gang(static : 2)
    for (int i = 0; i < N; i++) {
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            a[i][j] -= 1.0f;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("a", i * M + j, a[i][j], 2.0f * (i + 0.25f * j) - 1.0f, 1e-6);
    return finish();
}
