// collapse(3), and collapse(2) with a third loop inside.
// expect: launches=2 uploads=2 downloads=2
#include "check.h"

#define A 5
#define B 11
#define C 9

static long a[A][B][C];

int main(void)
{
    for (int i = 0; i < A * B * C; i++)
        a[i / (B * C)][i / C % B][i % C] = i;
#pragma acc parallel loop collapse(3) copy(a)
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                a[i][j][k] = a[i][j][k] * 3 + i - j + k;
#pragma acc parallel loop collapse(2) gang copy(a)
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++) {
            long offset = i + j;
#pragma acc loop vector
            for (int k = 0; k < C; k++)
                a[i][j][k] += offset;
        }
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                check_int("a", (i * B + j) * C + k, a[i][j][k],
                          3L * ((i * B + j) * C + k) + 2 * i + k);
    return finish();
}
