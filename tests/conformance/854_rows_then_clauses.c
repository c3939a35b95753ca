// Small rows that lie one after the other are resident as one object; a data clause then names one of them. That row is the clause's
// from then on, until it ends, and the others are resident as before.
// flags: -gpu=autodata
// needs: separate
// devices: cpu cuda opencl
#include "check.h"
#include <stdlib.h>

#define N 3000
#define M 17

static float *rows[N], sums[N];

static void sum_rows(void)
{
#pragma acc parallel loop
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = 0; j < M; j++)
            sum += rows[i][j];
        sums[i] = sum;
    }
}

static void double_rows(void)
{
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            rows[i][j] *= 2;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(M * sizeof(float));
        for (int j = 0; j < M; j++)
            rows[i][j] = i % 100;
    }
    double_rows();
    sum_rows();
    for (int i = 0; i < N; i++)
        check_near("sum", i, sums[i], 2 * M * (i % 100), 0);

    float *five = rows[1505];
#pragma acc enter data copyin(five[0:M])
    five[0] = 1e6f;
    double_rows();
    sum_rows();
    for (int i = 0; i < N; i++)
        check_near("with a clause", i, sums[i], 4 * M * (i % 100), 0);
    check_near("the host's", 0, five[0], 1e6, 0);
#pragma acc exit data copyout(five[0:M])
    check_near("the clause's", 0, five[0], 20, 0);
    check_near("another row", 0, rows[1504][3], 16, 0);

    double_rows();
    sum_rows();
    for (int i = 0; i < N; i++)
        check_near("after it", i, sums[i], 8 * M * (i % 100), 0);
    for (int i = 0; i < N; i++)
        free(rows[i]);
    return finish();
}
