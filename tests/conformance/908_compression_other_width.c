// A kernel that was compiled for another width is refused.
// expect-exit: nonzero
// expect-stderr: name=a is held compressed .range, 12 bits., but the construct was compiled for compressed .range, 16 bits. data
// needs: runtime
#include "check.h"

enum { N = 100 };

static float x[N], y[N];

static void reader(float *restrict a, int n)
{
#pragma acc parallel loop compression(a) present(a[0:n]) copyout(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = a[i];
}

int main(void)
{
    int n = N;
#pragma acc data ccopyin(bits(12): x[0:n])
    reader(x, n);
    return finish();
}
