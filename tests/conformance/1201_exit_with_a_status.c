// A kernel that calls `exit` ends the program with the status it gives. An assertion fails in its place on CUDA.
// devices: cpu opencl
// expect-exit: 3
#include "check.h"
#include <stdlib.h>

#define N 100

static void stop(int value)
{
    if (value == 77)
        exit(3);
}
#pragma acc routine(stop) seq

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++) {
        stop(a[i]);
        a[i] = 0;
    }
    check_true("the program has ended", 0);
    return finish();
}
