// A compressed array in a window (fcw) is decoded once, when the block fetches it; sections that begin later.
// expect: launches=2 uploads=2 downloads=3
#include "check.h"
#include <math.h>

enum { N = 10000, OFFSET = 37 };

static float a[N], b[N], c[N];
static double d[N], e[N];

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++) {
        a[i] = sinf((float)i);
        d[i] = 100 * cos(i);
    }
#pragma acc data ccopyin(a[0:n:-1:1]) copyout(b[0:n]) ccopyout(bits(12): c[0:n:-3:3])
    {
#pragma acc parallel loop gang vector(128) compression(a, c)
        for (int i = 1; i < n - 1; i++) {
#pragma acc fcw FETCH_ONLY(a[i:1:1])
            b[i] = a[i - 1] + a[i] + a[i + 1];
            c[i] = b[i];
        }
    }
    int m = n - OFFSET;
#pragma acc data ccopyin(bits(20): d[OFFSET:m:-100:100]) copyout(e[OFFSET:m])
    {
#pragma acc parallel loop gang vector(64) compression(d)
        for (int i = OFFSET + 2; i < n - 2; i++) {
#pragma acc fcw FETCH_ONLY(d[i:2:2])
            e[i] = d[i - 2] + d[i + 2];
        }
    }
    for (int i = 1; i < n - 1; i++) {
        check_near("b", i, b[i], a[i - 1] + a[i] + a[i + 1], 1e-4);
        check_near("c", i, c[i], b[i], 1e-3);
    }
    for (int i = OFFSET + 2; i < n - 2; i++)
        check_near("e", i, e[i], d[i - 2] + d[i + 2], 3e-4);
    return finish();
}
