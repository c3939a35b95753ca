// num_gangs with several numbers, and loops over gangs of several dimensions: each iteration is run once, code outside
// loops by all gangs.
// expect: launches=5 uploads=2 downloads=4
#include "check.h"

#define N 37
#define M 53

static int grid[N][M], cube[5][6][7], rows[N][M];

int main(void)
{
    int count = 0;
#pragma acc parallel num_gangs(3, 2) copy(count)
    {
#pragma acc atomic
        count++;
    }
    check_int("gangs", 0, count, 6);

#pragma acc parallel num_gangs(4, 3) copyout(grid)
    {
#pragma acc loop gang(dim : 2)
        for (int i = 0; i < N; i++) {
#pragma acc loop gang(dim : 1) vector
            for (int j = 0; j < M; j++)
                grid[i][j] = 100 * i + j;
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_int("grid", i * M + j, grid[i][j], 100 * i + j);

#pragma acc parallel loop gang(dim : 3) num_gangs(2, 2, 2) copyout(cube)
    for (int i = 0; i < 5; i++)
#pragma acc loop gang(dim : 2)
        for (int j = 0; j < 6; j++)
#pragma acc loop gang(dim : 1)
            for (int k = 0; k < 7; k++)
                cube[i][j][k] = 100 * i + 10 * j + k;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 7; k++)
                check_int("cube", 42 * i + 7 * j + k, cube[i][j][k], 100 * i + 10 * j + k);

    /* Something stands between the loops. */
    int n = N;
#pragma acc parallel num_gangs(n, 2) copyout(rows)
    {
#pragma acc loop gang(dim : 2)
        for (int i = 0; i < N; i++) {
            int first = i * i;
#pragma acc loop gang(dim : 1)
            for (int j = 0; j < M; j++)
                rows[i][j] = first + j;
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_int("rows", i * M + j, rows[i][j], i * i + j);

    long sum = 0;
#pragma acc parallel loop gang(dim : 2) num_gangs(5, 4) reduction(+ : sum) copyin(rows)
    for (int i = 0; i < N; i++)
#pragma acc loop gang(dim : 1) reduction(+ : sum)
        for (int j = 0; j < M; j++)
            sum += rows[i][j];
    long want = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            want += i * i + j;
    check_int("sum", 0, sum, want);
    return finish();
}
