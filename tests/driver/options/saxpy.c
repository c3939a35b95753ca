#include <stdio.h>
#include "n.h"

#ifndef FACTOR
#error "FACTOR is not defined"
#endif

static float x[N], y[N];

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma acc parallel loop copyin(x) copy(y)
    for (int i = 0; i < N; i++)
        y[i] = FACTOR * x[i] + y[i];
    printf("%s %g\n", argc > 1 ? argv[1] : "none", y[N - 1]);
    return 0;
}
