// update of a block inside a two-dimensional array: rows that are not contiguous. The rest of the
// array must keep its values, on the device and on the host.
// gcc: rejects, a section that is not contiguous
// needs: separate
// expect: launches=1 uploads>=2 downloads>=1
#include "check.h"

#define N 12
#define M 20

int main(void)
{
    static int a[N][M];
#pragma acc data copyin(a)
    {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                a[i][j] = 100;
#pragma acc update device(a[2:5][3:9])
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                a[i][j] += i + j;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                a[i][j] = -1;
#pragma acc update self(a[1:8][2:12])
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            int on_device = (i >= 2 && i < 7 && j >= 3 && j < 12 ? 100 : 0) + i + j;
            int fetched = i >= 1 && i < 9 && j >= 2 && j < 14;
            check_int("a", i * M + j, a[i][j], fetched ? on_device : -1);
        }
    return finish();
}
