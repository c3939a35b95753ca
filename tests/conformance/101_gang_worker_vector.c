// Three levels of parallelism on three loops, bounds that fill none of them.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define A 7
#define B 13
#define C 37

int main(void)
{
    static int in[A][B][C], out[A][B][C];
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                in[i][j][k] = 10000 * i + 100 * j + k;
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(in) copyout(out)
    for (int i = 0; i < A; i++) {
        int plane = i * 2;
#pragma acc loop worker
        for (int j = 0; j < B; j++) {
            int row = plane + j;
#pragma acc loop vector
            for (int k = 0; k < C; k++)
                out[i][j][k] = in[i][j][k] * 2 + row;
        }
    }
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                check_int("out", (i * B + j) * C + k, out[i][j][k],
                          2 * (10000 * i + 100 * j + k) + 2 * i + j);
    return finish();
}
