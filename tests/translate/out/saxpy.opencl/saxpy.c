/* y = a x + y, then the sum of y. */
#include <stdio.h>
#include <stdlib.h>
#include "saxpy_kernels.h"

#define N 1000 /* elements */

static void saxpy(int n, float a, const float *restrict x, float *restrict y)
{
    /* The arrays may be on the device already. */
    /* acc parallel loop copyin(x[0:n]) copy(y[0:n]) */
    port_copyin(x, n * sizeof *x);
    port_copyin((float *)y, n * sizeof(float));
    launch_saxpy_10(n, a, x, (float *)y);
    port_copyout((float *)y, n * sizeof(float));
    port_delete(x, n * sizeof *x);
}

int main(void)
{
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = 1.0f;
    }
    /* acc data copyin(x[0:N], y[0:N]) */
    port_copyin(x, 1000 * sizeof *x);
    port_copyin((float *)y, 1000 * sizeof(float));
    {
        saxpy(N, 2.0f, x, y);
        if (x[1] == 1.0f)
            {
                /* acc parallel loop reduction(+ : sum) */
                port_copyin(&sum, sizeof sum);
                launch_main_27((float *)y, &sum);
                port_copyout(&sum, sizeof sum);
            }
        /* acc update self(y[1:2]) */
        port_update_self((char *)y + (long)sizeof(float), 2 * sizeof(float));
    }
    port_delete((float *)y, 1000 * sizeof(float));
    port_delete(x, 1000 * sizeof *x);
    free(x);
    printf(sum == 1000.0 + 999000.0 && y[1] == 3.0f && y[2] == 5.0f ? "PASS\n" : "FAIL\n");
    free(y);
    return 0;
}
