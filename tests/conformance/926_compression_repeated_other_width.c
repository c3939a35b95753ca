// A kernel that ran with an array is refused once the array is held otherwise, at the same address.
// expect-exit: nonzero
// expect-stderr: name=a is held compressed .range, 12 bits., but the construct was compiled for compressed .range, 16 bits. data
// needs: runtime
#include "check.h"

enum { N = 100 };

static float x[N], y[N];

static void reader(float *restrict a, int n)
{
#pragma acc parallel loop compression(a) present(a[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = a[i];
}

int main(void)
{
    int n = N;
#pragma acc data create(y)
    {
#pragma acc data ccopyin(x[0:n:0:1])
        for (int again = 0; again < 4; again++)
            reader(x, n);
#pragma acc data ccopyin(bits(12): x[0:n:0:1])
        reader(x, n);
    }
    return finish();
}
