// acc_malloc, deviceptr, acc_memcpy_to_device, acc_memcpy_from_device, acc_free.
// needs: runtime
// expect: launches=2
#include <openacc.h>
#include "check.h"

#define N 175

int main(void)
{
    float in[N], out[N];
    for (int i = 0; i < N; i++)
        in[i] = 0.5f * i;
    float *a = acc_malloc(N * sizeof *a), *b = acc_malloc(N * sizeof *b);
    check_true("acc_malloc gives memory", a != NULL && b != NULL);
    acc_memcpy_to_device(a, in, sizeof in);
#pragma acc parallel loop deviceptr(a, b)
    for (int i = 0; i < N; i++)
        b[i] = a[i] + 1.0f;
#pragma acc data deviceptr(b)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            b[i] *= 4.0f;
    }
    acc_memcpy_from_device(out, b, sizeof out);
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], 4.0f * (0.5f * i + 1.0f), 0.0);
    acc_memcpy_from_device(out, b + 100, 10 * sizeof *out);
    for (int i = 0; i < 10; i++)
        check_near("part", i, out[i], 4.0f * (0.5f * (i + 100) + 1.0f), 0.0);
    acc_free(a);
    acc_free(b);
    return finish();
}
