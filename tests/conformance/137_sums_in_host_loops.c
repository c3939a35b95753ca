// A loop that sums into an array element, inside a loop that the host runs because its variable is needed afterwards.
// expect: launches>=1
#include "check.h"

#define N 300

int main(void)
{
    double a[N], want[N];
    float f[N];
    int j = 0;
    for (int i = 0; i < N; i++) {
        a[i] = want[i] = i;
        f[i] = 0.5f * i;
    }
#pragma acc kernels copy(a, f)
    {
        for (int i = 8; i < N; i++) {
            for (j = 8; j < N; j++)
                a[i] += f[i];
        }
        for (int i = 0; i < N; i++)
            a[i] *= 2;
    }
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], 2 * (i < 8 ? i : i + (N - 8) * 0.5 * i), 1e-9);
    check_int("j", 0, j, N);
    return finish();
}
