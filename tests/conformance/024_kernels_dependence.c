// kernels over loops that carry a dependence: slow is allowed, wrong is not.
// expect: launches>=3 uploads>=1 downloads>=1
#include "check.h"

#define N 257

static void recurrence(int n, int *a)
{
#pragma acc kernels copy(a[0:n])
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + a[i];
}

static void shift_down(int n, int *a)
{
#pragma acc kernels copy(a[0:n])
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1] * 2;
}

static void distance_four(int n, int *a)
{
#pragma acc kernels copy(a[0:n])
    for (int i = 4; i < n; i++)
        a[i] += a[i - 4];
}

int main(void)
{
    int a[N], want[N];
    for (int i = 0; i < N; i++)
        a[i] = want[i] = i % 5;
    recurrence(N, a);
    for (int i = 1; i < N; i++)
        want[i] += want[i - 1];
    for (int i = 0; i < N; i++)
        check_int("recurrence", i, a[i], want[i]);
    shift_down(N, a);
    for (int i = 0; i < N - 1; i++)
        want[i] = want[i + 1] * 2;
    for (int i = 0; i < N; i++)
        check_int("shift_down", i, a[i], want[i]);
    for (int i = 0; i < N; i++)
        a[i] = want[i] = i % 7;
    distance_four(N, a);
    for (int i = 4; i < N; i++)
        want[i] += want[i - 4];
    for (int i = 0; i < N; i++)
        check_int("distance_four", i, a[i], want[i]);
    return finish();
}
