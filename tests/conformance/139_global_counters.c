// Globals that loops of a construct count with are private to each thread; joined loops, inner sequential loops and unmarked ones.
// expect: launches=4
#include "check.h"

#define N 40
#define M 30

int i, j;
static int k;
static double a[N][M], sums[N];

int main(void)
{
    i = -1;
#pragma acc parallel loop collapse(2) copyout(a)
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            a[i][j] = i * M + j;
    for (int x = 0; x < N; x++)
        for (int y = 0; y < M; y++)
            check_near("joined", x * M + y, a[x][y], x * M + y, 0);

#pragma acc parallel loop copyin(a) copyout(sums)
    for (i = 0; i < N; i++) {
        double sum = 0;
        for (k = 0; k < M; k++)
            sum += a[i][k];
        sums[i] = sum;
    }
    for (int x = 0; x < N; x++)
        check_near("sum", x, sums[x], x * M * M + M * (M - 1) / 2, 0);

#pragma acc kernels copy(a) copyin(sums)
    {
        for (i = 0; i < N; i++)
            for (j = 0; j < M; j++)
                a[i][j] += sums[i];
#pragma acc loop independent
        for (i = 0; i < N; i++)
            for (j = 1; j < M; j++)
                a[i][j] += a[i][j - 1];
    }
    for (int x = 0; x < N; x++) {
        double want = 0;
        for (int y = 0; y < M; y++) {
            want += x * M + y + sums[x];
            check_near("kernels", x * M + y, a[x][y], want, 1e-12);
        }
    }
    return finish();
}
