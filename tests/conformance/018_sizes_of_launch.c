// num_gangs, num_workers and vector_length, as constants, expressions and odd numbers: the result
// does not depend on them.
// expect: launches=6 uploads=6 downloads=6
#include "check.h"

#define N 1003

static int a[N];

static void check(int value)
{
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], value);
}

int main(void)
{
    int gangs = 5, length = 64;
#pragma acc parallel loop gang vector num_gangs(1) vector_length(32) copy(a)
    for (int i = 0; i < N; i++)
        a[i]++;
    check(1);
#pragma acc parallel loop gang vector num_gangs(gangs * 2 + 1) vector_length(length) copy(a)
    for (int i = 0; i < N; i++)
        a[i]++;
    check(2);
#pragma acc parallel loop gang worker vector num_gangs(3) num_workers(4) vector_length(32) copy(a)
    for (int i = 0; i < N; i++)
        a[i]++;
    check(3);
#pragma acc parallel loop gang vector num_gangs(2000) vector_length(1) copy(a)
    for (int i = 0; i < N; i++)
        a[i]++;
    check(4);
#pragma acc parallel num_gangs(7) num_workers(2) vector_length(128) copy(a)
#pragma acc loop gang
    for (int i = 0; i < N; i++)
        a[i]++;
    check(5);
#pragma acc kernels loop gang(9) vector(96) copy(a)
    for (int i = 0; i < N; i++)
        a[i]++;
    check(6);
    return finish();
}
