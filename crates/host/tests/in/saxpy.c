#include <stdio.h>
#include <stdlib.h>

static void saxpy(int n, float a, const float *x, float *y)
{
#pragma acc parallel loop copyin(x[:n]) copy(y[:n])
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

int main(void)
{
    int n = 1000, bad = 0;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 1.0f;
    }
    saxpy(n, 2.0f, x, y);
    for (int i = 0; i < n; i++)
        bad += y[i] != 2.0f * i + 1.0f;
    printf("%d wrong\n", bad);
    return bad != 0;
}
