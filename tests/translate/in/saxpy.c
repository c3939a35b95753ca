/* y = a x + y, then the sum of y. */
#include <stdio.h>
#include <stdlib.h>

#define N 1000 /* elements */

static void saxpy(int n, float a, const float *restrict x, float *restrict y)
{
    /* The arrays may be on the device already. */
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

int main(void)
{
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = 1.0f;
    }
#pragma acc data copyin(x[0:N], y[0:N])
    {
        saxpy(N, 2.0f, x, y);
        if (x[1] == 1.0f)
#pragma acc parallel loop reduction(+ : sum)
            for (int i = 0; i < N; i++)
                sum += y[i];
#pragma acc update self(y[1:2])
    }
    free(x);
    printf(sum == 1000.0 + 999000.0 && y[1] == 3.0f && y[2] == 5.0f ? "PASS\n" : "FAIL\n");
    free(y);
    return 0;
}
