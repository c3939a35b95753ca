// Independent work on several queues, then one wait for all of them.
// expect: launches=8 uploads=1 downloads=1
#include "check.h"

#define QUEUES 4
#define N 1000

static int a[QUEUES][N];

int main(void)
{
#pragma acc data copy(a)
    {
        for (int q = 0; q < QUEUES; q++) {
#pragma acc parallel loop async(q)
            for (int i = 0; i < N; i++)
                a[q][i] = q * i;
        }
        for (int q = 0; q < QUEUES; q++) {
#pragma acc parallel loop async(q)
            for (int i = 0; i < N; i++)
                a[q][i] += 1;
        }
#pragma acc wait
    }
    for (int q = 0; q < QUEUES; q++)
        for (int i = 0; i < N; i++)
            check_int("a", q * N + i, a[q][i], q * i + 1);
    return finish();
}
