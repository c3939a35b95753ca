// An inner loop that adds to an element has no iterations: what the loop around it does beside it is still done.
// expect: launches=4
#include "check.h"

#define N 40

static void add(int times, int count, double *restrict sum, double *restrict x)
{
#pragma acc parallel num_gangs(1) copy(sum[0:1], x[0:N])
    {
        for (int t = 0; t < times; t++) {
            for (int u = 0; u < count; u++)
                sum[0] += 2 * t + u;
#pragma acc loop seq
            for (int i = 0; i < N; i++)
                x[i] += 1;
        }
    }
}

static void rows(int n, int count, double *restrict sum, double *restrict x)
{
#pragma acc parallel loop copy(sum[0:n], x[0:n])
    for (int i = 0; i < n; i++) {
        for (int t = 0; t < 3; t++) {
            x[i] = 2 * x[i] + t;
            for (int u = 0; u < count; u++)
                sum[i] += u + t;
        }
    }
}

int main(void)
{
    double sum[N], x[N];
    for (int i = 0; i < N; i++) {
        sum[i] = 1;
        x[i] = i;
    }
    add(3, 0, sum, x);
    check_near("sum", 0, sum[0], 1, 0);
    for (int i = 0; i < N; i++)
        check_near("beside it", i, x[i], i + 3, 0);
    add(3, 2, sum, x);
    check_near("sum", 1, sum[0], 1 + 2 * (0 + 2 + 4) + 3, 0);
    rows(N, 0, sum, x);
    for (int i = 0; i < N; i++)
        check_near("row", i, x[i], 8.0 * (i + 6) + 4, 0);
    rows(N, 2, sum, x);
    for (int i = 1; i < N; i++)
        check_near("sums", i, sum[i], 1 + 3 + 6, 0);
    return finish();
}
