// != as the loop's condition, and break inside a loop marked seq.
// gcc: rejects, both
// expect: launches=2 uploads=2 downloads=2
#include "check.h"

#define N 88
#define M 30

int main(void)
{
    static int a[N][M];
    int first[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = i * j % 9;
#pragma acc parallel loop gang vector copyin(a) copyout(first)
    for (int i = 0; i != N; i++) {
        first[i] = -1;
#pragma acc loop seq
        for (int j = 0; j < M; j++)
            if (a[i][j] == 4) {
                first[i] = j;
                break;
            }
    }
#pragma acc parallel loop copy(first)
    for (int i = N - 1; i != 9; i -= 3)
        first[i] += 100;
    for (int i = 0; i < N; i++) {
        int want = -1;
        for (int j = M - 1; j >= 0; j--)
            if (i * j % 9 == 4)
                want = j;
        if (i > 9 && (N - 1 - i) % 3 == 0)
            want += 100;
        check_int("first", i, first[i], want);
    }
    return finish();
}
