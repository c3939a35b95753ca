// command: accl cc -fopenmp -Werror -c $FILE -o out.o
/* Functions that device code cannot call. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int elsewhere(int x);

void f(int n, int *a)
{
#pragma omp target map(tofrom: a[0:n])
    {
        int *b = calloc(4, 1);
        a[0] = elsewhere(a[1]);
        omp_set_default_device(0);
        fprintf(stderr, "%d", a[0]);
    }
}
