// A vector loop under a condition of the gang, and inside a sequential loop of the gang.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 40
#define M 100

static int a[N][M];

int main(void)
{
#pragma acc parallel loop gang copy(a)
    for (int i = 0; i < N; i++) {
        if (i % 3 == 1) {
#pragma acc loop vector
            for (int j = 0; j < M; j++)
                a[i][j] = j;
        } else {
            for (int s = 0; s < i % 4; s++) {
#pragma acc loop vector
                for (int j = 0; j < M; j++)
                    a[i][j] += s + 1;
            }
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            int s = i % 4;
            check_int("a", i * M + j, a[i][j], i % 3 == 1 ? j : s * (s + 1) / 2);
        }
    return finish();
}
