// A compressed array in a window is decoded once, on fetch; writes encode when they go back.
// expect: launches=2
#include <stdlib.h>
#include "check.h"

#define N 777

int main(void)
{
    float *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = (i % 32) / 16.0f - 1.0f;
        b[i] = 0;
    }
#pragma acc data ccopyin(bits(16): a[0:N:-1:1]) copy(b[0:N])
    {
#pragma acc parallel loop vector(128) compression(a) present(a[0:N], b[0:N])
        for (int i = 1; i < N - 1; i++) {
#pragma acc fcw FETCH_ONLY(a[i:1:1])
            b[i] = a[i - 1] + a[i] + a[i + 1];
        }
#pragma acc parallel loop vector(128) compression(a) present(a[0:N], b[0:N])
        for (int i = 0; i < N; i++) {
#pragma acc fcw FETCH_CHANNEL(a[i:0:0])
            {
                a[i] = -a[i];
                if ((i & 127) > 0)
                    b[i] += a[i - 1];
            }
        }
    }
    for (int i = 0; i < N; i++) {
        float want = i > 0 && i < N - 1 ? a[i - 1] + a[i] + a[i + 1] : 0;
        want -= (i & 127) > 0 ? a[i - 1] : 0;
        check_near("b", i, b[i], want, 3e-4);
    }
    free(a);
    free(b);
    return finish();
}
