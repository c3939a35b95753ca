// kernels loop independent, where the compiler could not know: a scatter through a permutation.
// expect: launches=1 uploads=2 downloads=1
#include "check.h"

#define N 601

int main(void)
{
    int to[N];
    double from[N], out[N];
    for (int i = 0; i < N; i++) {
        to[i] = (i * 17 + 5) % N;
        from[i] = i * 0.125;
    }
#pragma acc kernels copyin(to, from) copyout(out)
    {
#pragma acc loop independent
        for (int i = 0; i < N; i++)
            out[to[i]] = from[i];
    }
    for (int i = 0; i < N; i++)
        check_near("out", to[i], out[to[i]], i * 0.125, 0.0);
    return finish();
}
