// break out of an inner sequential loop: a search of different length in each thread.
// expect: launches=1 uploads=2 downloads=1
#include "check.h"

#define N 300
#define M 64

int main(void)
{
    static int keys[M];
    int wanted[N], found[N];
    for (int j = 0; j < M; j++)
        keys[j] = (j * 29) % M;
    for (int i = 0; i < N; i++)
        wanted[i] = (i * 3) % (M + 6);
#pragma acc parallel loop gang vector copyin(keys, wanted) copyout(found)
    for (int i = 0; i < N; i++) {
        int at = -1;
        for (int j = 0; j < M; j++) {
            if (keys[j] == wanted[i]) {
                at = j;
                break;
            }
        }
        found[i] = at;
    }
    for (int i = 0; i < N; i++) {
        int at = -1;
        for (int j = 0; j < M && at < 0; j++)
            if (keys[j] == wanted[i])
                at = j;
        check_int("found", i, found[i], at);
    }
    return finish();
}
