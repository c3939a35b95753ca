#include <stdio.h>
#include <stdlib.h>

/* The tiles that are usual keep sums in the registers of GPUs, which processors do not have. */
static void product(int n, const float *a, const float *b, float *c)
{
#pragma acc parallel loop collapse(2) copyin(a[:n * n], b[:n * n]) copyout(c[:n * n])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float s = 0.0f;
            for (int k = 0; k < n; ++k)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

int main(void)
{
    enum { N = 192 };
    static float a[N * N], b[N * N], c[N * N];
    for (int i = 0; i < N * N; ++i) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    product(N, a, b, c);
    double sum = 0.0;
    for (int i = 0; i < N * N; ++i)
        sum += c[i];
    printf("%.10g\n", sum);
    return 0;
}
