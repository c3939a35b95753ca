// The variable of a sequential loop in kernels has its last value behind the construct, as every scalar that is
// written there; variables of parallel loops, and those that nothing reads again, cost no transfer.
// expect: launches>=4
#include "check.h"

#define N 40

int main(void)
{
    int i, k, last, limit[1] = {7};
    double a[N], b[N];
    for (i = 0; i < N; i++)
        a[i] = b[i] = 0;
    // The host cannot run it: it would need an array.
#pragma acc kernels copy(a) copyin(limit)
    for (k = 0; k < limit[0]; k++) {
        for (i = 0; i < N; i++)
            a[i] += k;
    }
    check_int("k", 0, k, 7);
#pragma acc kernels copy(b) copyin(a)
    for (k = 1; k < N; k++) {
        b[k] = b[k - 1] + a[k];
        if (b[k] > 100)
            break;
    }
    int found = k;
    for (last = 1; last < N && 21 * last <= 100; last++)
        ;
    check_int("break", 0, found, last);
#pragma acc kernels copy(b)
    for (k = N - 1; k > 0; k -= 3)
        b[k] = b[k - 1] + 1;
    check_int("falling", 0, k, 0);
    // Nothing reads k before it is set again.
#pragma acc kernels copy(b)
    for (k = 1; k < N; k++)
        b[k] = b[k - 1] / 2;
    // One variable of two loops of a construct: in order, and in parallel.
#pragma acc kernels copy(a, b)
    {
        for (k = 0; k < N; k++)
            b[3] = a[k] + k;
        for (k = 0; k < N; k += 3)
            a[k] = 2 * a[k];
    }
    check_int("after both", 0, k, 42);
    check_near("b[3]", 3, b[3], 21 + N - 1, 0);
    for (k = 0; k < N; k += 3)
        a[k] = a[k] / 2;
    double sum = 0;
    for (k = 0; k < N; k++)
        sum += a[k];
    check_near("a", 0, sum, 21 * N, 0);
    return finish();
}
