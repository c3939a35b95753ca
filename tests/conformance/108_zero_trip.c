// Loops that run no iteration, at each level and under collapse; nothing is written.
// expect: launches<=6
#include "check.h"

#define N 10

static void run(int *a, int zero, int low, int high)
{
#pragma acc data copy(a[0:N])
    {
#pragma acc parallel loop present(a[0:N])
        for (int i = 0; i < zero; i++)
            a[i] = -1;
#pragma acc parallel loop present(a[0:N])
        for (int i = high; i < low; i++)
            a[i] = -2;
#pragma acc parallel loop collapse(2) present(a[0:N])
        for (int i = 0; i < N; i++)
            for (int j = 0; j < zero; j++)
                a[i] = -3;
#pragma acc parallel loop collapse(2) present(a[0:N])
        for (int i = 0; i < zero; i++)
            for (int j = 0; j < N; j++)
                a[j] = -4;
#pragma acc parallel loop gang present(a[0:N])
        for (int i = 0; i < N; i++) {
#pragma acc loop vector
            for (int j = high; j < low; j++)
                a[i] = -5;
        }
#pragma acc kernels present(a[0:N])
        for (int i = low - 1; i >= high; i--)
            a[i] = -6;
    }
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
    run(a, 0, 3, 8);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i);
    return finish();
}
