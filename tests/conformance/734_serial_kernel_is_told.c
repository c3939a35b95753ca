// A kernel that runs in one thread for long is told once at exit, with the dependence that is to blame.
// expect: launches=3
// expect-stderr: ^accl: warning\[ACCL0811\]: a kernel ran in one thread, for [0-9.]+ ms in 3 launches$
// expect-stderr: ^  line 15: Loop carried dependence of x-> prevents parallelization$
// expect-stderr: not parallel: line 15: Loop carried dependence of x-> prevents parallelization$
// env: ACCL_TIME=1
#include <stdlib.h>
#include "check.h"

#define N 4000000

static void sum(double *x, int n)
{
#pragma acc kernels copy(x[0:n])
    for (int i = 1; i < n; i++)
        x[i] = x[i - 1] * 0.5 + x[i];
}

int main(void)
{
    double *x = malloc(N * sizeof *x);
    for (int i = 0; i < N; i++)
        x[i] = 1;
    for (int k = 0; k < 3; k++)
        sum(x, N);
    check_near("x", 1, x[1], 1 + 0.5 * 3, 1e-12);
    free(x);
    return finish();
}
