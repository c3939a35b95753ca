// routine worker, which calls a routine vector; the caller is a gang loop.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define A 5
#define B 12
#define C 70

static int a[A][B][C];

#pragma acc routine vector
static void fill(int n, int *row, int value)
{
#pragma acc loop vector
    for (int k = 0; k < n; k++)
        row[k] += value + k;
}

#pragma acc routine worker
static void plane(int rows, int (*p)[C], int value)
{
#pragma acc loop worker
    for (int j = 0; j < rows; j++)
        fill(C, p[j], value * 100 + j);
}

int main(void)
{
#pragma acc parallel loop gang num_workers(4) vector_length(32) copy(a)
    for (int i = 0; i < A; i++)
        plane(B, a[i], i);
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                check_int("a", (i * B + j) * C + k, a[i][j][k], 100 * i + j + k);
    return finish();
}
