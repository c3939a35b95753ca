// Time steps in kernels over a compressed array: each kernel of the construct decodes and encodes it.
// expect: launches=8 uploads=2 downloads=2
#include "check.h"

#define N 96

int main(void)
{
    float a[N], b[N], want[N], other[N];
    for (int i = 0; i < N; i++)
        a[i] = want[i] = b[i] = other[i] = (i % 16) / 16.0f;
#pragma acc kernels ccopy(bits(23): a[0:N:-4:4]) copy(b)
    for (int t = 0; t < 4; t++) {
#pragma acc loop independent
        for (int i = 0; i < N; i++)
            b[i] = 0.5f * a[i] + 0.5f * a[N - 1 - i];
#pragma acc loop independent
        for (int i = 0; i < N; i++)
            a[i] = b[i] + 0.25f;
    }
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < N; i++)
            other[i] = 0.5f * want[i] + 0.5f * want[N - 1 - i];
        for (int i = 0; i < N; i++)
            want[i] = other[i] + 0.25f;
    }
    for (int i = 0; i < N; i++) {
        check_near("a", i, a[i], want[i], 1e-5);
        check_near("b", i, b[i], other[i], 1e-5);
    }
    return finish();
}
