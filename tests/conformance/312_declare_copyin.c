// declare copyin of initialised globals, and declare create for an array of a function's scope.
// expect: launches=2 uploads>=1 downloads=1
#include "check.h"

#define N 45

static int weights[4] = {1, -2, 3, -4};
#pragma acc declare copyin(weights)

static void filter(int n, const int *in, int *out)
{
    int middle[N];
#pragma acc declare create(middle)
#pragma acc parallel loop copyin(in[0:n]) present(weights)
    for (int i = 0; i < n; i++)
        middle[i] = in[i] * weights[i % 4];
#pragma acc parallel loop copyout(out[0:n])
    for (int i = 0; i < n; i++)
        out[i] = middle[n - 1 - i];
}

int main(void)
{
    int in[N], out[N];
    for (int i = 0; i < N; i++)
        in[i] = i + 1;
    filter(N, in, out);
    for (int i = 0; i < N; i++) {
        int j = N - 1 - i;
        check_int("out", i, out[i], (j + 1) * (j % 2 ? -(j % 4 + 1) : j % 4 + 1));
    }
    return finish();
}
