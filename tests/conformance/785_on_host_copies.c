// Copies that clauses ask for and those by rule, reductions, and variables that loops count with, in constructs that the host runs.
// expect: launches=0
#include "check.h"

#define N 60

static int plus(int a, int b) { return a + b; }

static int global = 3;

int main(void)
{
    int (*volatile add)(int, int) = plus;
    int sum = 10, most = -1, first = 2, own = 3, scalar = 4, i = 77, j = 88, table[N][4];
    float buffer[4] = {1, 2, 3, 4};
    for (int r = 0; r < N; r++)
        for (int c = 0; c < 4; c++)
            table[r][c] = 0;
#pragma acc parallel loop gang vector reduction(+: sum) reduction(max: most) private(own, buffer) firstprivate(first) copy(table)
    for (i = 0; i < N; i++) {
        own = add(i, first);
        scalar = own;
        global = own;
        buffer[0] = own;
        sum += own;
        most = own > most ? own : most;
#pragma acc loop seq
        for (j = 0; j < 4; j++)
            table[i][j] = own * 4 + j;
    }
    check_int("sum", 0, sum, 10 + N * (N - 1) / 2 + 2 * N);
    check_int("most", 0, most, N + 1);
    check_int("copies", 0, first * 1000 + own * 100 + scalar * 10 + global, 2343);
    check_int("counting", 0, i * 100 + j, 7788);
    check_near("buffer", 0, buffer[0], 1, 0);
    for (int r = 0; r < N; r++)
        for (int c = 0; c < 4; c++)
            check_int("table", r, table[r][c], (r + 2) * 4 + c);

    int inner = 5, result[2] = {0, 0}, total = 0;
#pragma acc parallel copy(result) firstprivate(inner)
    {
        inner = 6;
#pragma acc loop private(inner)
        for (int k = 0; k < N; k++) {
            inner = add(k, 1);
            if (k == N - 1)
                result[0] = inner;
        }
        result[1] = inner;
#pragma acc loop reduction(+: total)
        for (int k = 0; k < N; k++)
            total += add(k, 0);
    }
    check_int("inner", 0, inner, 5);
    check_int("inside", 0, result[0] * 100 + result[1], 6006);
    check_int("total", 0, total, N * (N - 1) / 2);

    int in_kernels = 0;
#pragma acc kernels copyout(result)
    {
        in_kernels = add(1, 2);
        for (int k = 0; k < 2; k++)
            result[k] = add(in_kernels, k);
    }
    check_int("kernels", 0, result[0] * 10 + result[1], 34);
    check_int("in kernels", 0, in_kernels, 3);

    /* Nothing is run where a loop has no iterations. */
    const int none = 0;
#pragma acc parallel loop copy(result)
    for (int k = 0; k < none; k++)
        result[k] = add(result[k], 5);
    check_int("no iterations", 0, result[0] * 10 + result[1], 34);
#pragma acc parallel loop copy(result) if(none)
    for (int k = 0; k < 2; k++)
        result[k] = add(result[k], 5);
#pragma acc serial copy(result) self
    result[0] = add(result[0], 10);
    check_int("if", 0, result[0] * 10 + result[1], 189);
    return finish();
}
