// Structures, and scalars with an address, that a loop's private clause names: each thread has its own, whoever writes it.
// expect: launches=3
#include "check.h"

#define N 24
#define M 64

typedef struct { int x, y; } point;

static int a[N][N][M], want[N][N][M], sums[N], last[N];

int main(void)
{
    point pt = {-1, -1};
    int x = -5, i, j;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            for (int k = 0; k < M; k++) {
                a[i][j][k] = k;
                want[i][j][k] = k + (i ^ j) * k + (i | j) * k;
            }

#pragma acc kernels copy(a)
#pragma acc loop gang
    for (i = 0; i < N; i++) {
#pragma acc loop worker private(pt)
        for (j = 0; j < N; j++) {
            pt.x = i ^ j;
            pt.y = i | j;
#pragma acc loop vector
            for (int k = 0; k < M; k++)
                a[i][j][k] += pt.x * k;
#pragma acc loop vector
            for (int k = 0; k < M; k++)
                a[i][j][k] += pt.y * k;
        }
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            for (int k = 0; k < M; k++) {
                check_int("structure", i, a[i][j][k], want[i][j][k]);
                a[i][j][k] = k;
            }
    check_int("the host's structure", 0, pt.x, -1);

#pragma acc parallel copy(a)
#pragma acc loop gang
    for (i = 0; i < N; i++) {
#pragma acc loop worker private(x)
        for (j = 0; j < N; j++) {
            int *p = &x;
            x = i ^ j;
#pragma acc loop vector
            for (int k = 0; k < M; k++)
                a[i][j][k] += x * k;
            *p = i | j;
#pragma acc loop vector
            for (int k = 0; k < M; k++)
                a[i][j][k] += x * k;
        }
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            for (int k = 0; k < M; k++)
                check_int("through a pointer", i, a[i][j][k], want[i][j][k]);
    check_int("the host's scalar", 0, x, -5);

    // One thread of the gang writes through the pointer; all see what it wrote, and branch alike.
#pragma acc parallel loop gang vector_length(64) copyout(sums, last)
    for (i = 0; i < N; i++) {
        int own = 1, total = 0;
        int *p = &own;
        *p = i % 3;
        if (own > 0) {
#pragma acc loop vector reduction(+:total)
            for (int k = 0; k < M; k++)
                total += own;
        }
        sums[i] = total;
        last[i] = own;
    }
    for (i = 0; i < N; i++) {
        check_int("sum", i, sums[i], i % 3 * M);
        check_int("last", i, last[i], i % 3);
    }
    return finish();
}
