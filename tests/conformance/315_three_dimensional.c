// Three-dimensional arrays: static, and a pointer to planes with lengths known at run time.
// expect: launches=2 uploads=2 downloads=2
#include <stdlib.h>
#include "check.h"

#define A 4
#define B 6
#define C 10

static float cube[A][B][C];

static void scale(int a, int b, int c, float (*restrict x)[b][c])
{
#pragma acc parallel loop collapse(2) gang copy(x[0:a][0:b][0:c])
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++) {
#pragma acc loop vector
            for (int k = 0; k < c; k++)
                x[i][j][k] = x[i][j][k] * 2.0f + (float)j;
        }
}

int main(void)
{
    float(*heap)[B][C] = malloc(A * sizeof *heap);
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                cube[i][j][k] = heap[i][j][k] = 100 * i + 10 * j + k;
    scale(A, B, C, heap);
#pragma acc parallel loop collapse(3) copy(cube)
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                cube[i][j][k] += cube[i][j][k] + j;
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++) {
                check_near("cube", k, cube[i][j][k], 2 * (100 * i + 10 * j + k) + j, 0.0);
                check_near("heap", k, heap[i][j][k], 2 * (100 * i + 10 * j + k) + j, 0.0);
            }
    free(heap);
    return finish();
}
