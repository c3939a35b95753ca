// continue in a parallel loop, in its inner sequential loop, and in collapsed loops.
// expect: launches=2 uploads=1 downloads=2
#include "check.h"

#define N 130
#define M 17

int main(void)
{
    static int a[N][M], sums[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = i - 3 * j;
#pragma acc data copy(a)
    {
#pragma acc parallel loop copyout(sums)
        for (int i = 0; i < N; i++) {
            sums[i] = -1;
            if (i % 5 == 2)
                continue;
            int sum = 0;
            for (int j = 0; j < M; j++) {
                if (a[i][j] < 0)
                    continue;
                sum += a[i][j];
            }
            sums[i] = sum;
        }
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                if ((i + j) % 2)
                    continue;
                a[i][j] = 7;
            }
    }
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int j = 0; j < M; j++) {
            sum += i - 3 * j > 0 ? i - 3 * j : 0;
            check_int("a", i * M + j, a[i][j], (i + j) % 2 ? i - 3 * j : 7);
        }
        check_int("sums", i, sums[i], i % 5 == 2 ? -1 : sum);
    }
    return finish();
}
