// A sum over gang, worker and vector, each level with its own partial variable.
// expect: launches=1 uploads>=1 downloads>=2
#include "check.h"

#define A 6
#define B 10
#define C 75

static int a[A][B][C];

int main(void)
{
    long total = 100;
    long planes[A], rows[A][B];
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                a[i][j][k] = i * j - k;
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(a) copyout(planes, rows) \
    reduction(+ : total)
    for (int i = 0; i < A; i++) {
        long plane = 0;
#pragma acc loop worker reduction(+ : plane)
        for (int j = 0; j < B; j++) {
            long row = 0;
#pragma acc loop vector reduction(+ : row)
            for (int k = 0; k < C; k++)
                row += a[i][j][k];
            rows[i][j] = row;
            plane += row;
        }
        planes[i] = plane;
        total += plane;
    }
    long want = 100;
    for (int i = 0; i < A; i++) {
        long plane = 0;
        for (int j = 0; j < B; j++) {
            long row = (long)C * i * j - C * (C - 1) / 2;
            check_int("rows", i * B + j, rows[i][j], row);
            plane += row;
        }
        check_int("planes", i, planes[i], plane);
        want += plane;
    }
    check_int("total", 0, total, want);
    return finish();
}
