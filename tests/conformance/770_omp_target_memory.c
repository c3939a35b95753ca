// omp_target_alloc and omp_target_memcpy in each direction, with offsets; kernels use the memory by its device address.
// flags: -fopenmp
// needs: runtime
// expect: launches=2 uploads=2 downloads=3
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include "check.h"

#define N 175

static float in[N], out[N];
static const int host = -1; /* omp_initial_device, which not every omp.h has */

int main(void)
{
    const int device = omp_get_default_device();
    const size_t bytes = N * sizeof(float), one = sizeof(float);
    for (int i = 0; i < N; i++)
        in[i] = 0.5f * i;
    float *a = omp_target_alloc(bytes, device), *b = omp_target_alloc(bytes, device);
    check_true("memory on the device", a != NULL && b != NULL && a != b);

    check_int("upload", 0, omp_target_memcpy(a, in, bytes, 0, 0, device, host), 0);
#pragma acc parallel loop deviceptr(a, b)
    for (int i = 0; i < N; i++)
        b[i] = a[i] + 1.0f;
    check_int("download", 0, omp_target_memcpy(out, b, bytes, 0, 0, omp_get_initial_device(), device), 0);
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], 0.5f * i + 1.0f, 0.0);

    /* Elements 100 to 109 of b go to elements 3 to 12 of a. */
    check_int("within", 0, omp_target_memcpy(a, b, 10 * one, 3 * one, 100 * one, device, device), 0);
#pragma acc parallel loop deviceptr(a)
    for (int i = 0; i < N; i++)
        a[i] *= 4.0f;
    check_int("download", 1, omp_target_memcpy(out, a, 10 * one, 5 * one, 3 * one, host, device), 0);
    for (int i = 0; i < 10; i++)
        check_near("part", i, out[5 + i], 4.0f * (0.5f * (100 + i) + 1.0f), 0.0);
    check_near("before", 0, out[4], 3.0f, 0.0);
    check_near("behind", 0, out[15], 8.5f, 0.0);

    /* Offsets are added to addresses, however large they are. */
    const size_t far = (size_t)5 << 31;
    void *far_in = (void *)((uintptr_t)in - far), *far_a = (void *)((uintptr_t)a - far);
    check_int("far", 0, omp_target_memcpy(far_a, far_in, 7 * one, far + 2 * one, far + 20 * one, device, host), 0);
    check_int("far", 1, omp_target_memcpy(out, far_a, 7 * one, 0, far + 2 * one, host, device), 0);
    for (int i = 0; i < 7; i++)
        check_near("far", i, out[i], in[20 + i], 0.0);

    /* From host to host memory may overlap. */
    check_int("host", 0, omp_target_memcpy(in, in, 50 * one, one, 0, host, host), 0);
    for (int i = 0; i < N; i++)
        check_near("moved", i, in[i], i == 0 || i > 50 ? 0.5f * i : 0.5f * (i - 1), 0.0);
    char *h = omp_target_alloc(16, omp_get_initial_device());
    check_true("memory of the host", h != NULL);
    h[15] = 'x';
    omp_target_free(h, host);

    /* No bytes, no memory. */
    check_int("no bytes", 0, omp_target_memcpy(NULL, NULL, 0, 0, 0, device, host), 0);
    check_true("no memory", omp_target_alloc(0, device) == NULL && omp_target_alloc(0, host) == NULL);
    omp_target_free(NULL, device);
    omp_target_free(NULL, host);
    omp_target_free(a, device);
    omp_target_free(b, device);
    return finish();
}
