#include <stdio.h>
#include <stdlib.h>

/* Three columns: the usual blocks have far more threads in x. */
static void scale(int n, float *a)
{
#pragma acc parallel loop copy(a[:3 * n])
    for (int i = 0; i < n; ++i) {
#pragma acc loop
        for (int j = 0; j < 3; ++j)
            a[3 * i + j] = 2.0f * a[3 * i + j] + 1.0f;
    }
}

/* In another order of its terms the sum is another number. */
static float sum(int n, const float *a)
{
    float s = 0.0f;
#pragma acc parallel loop reduction(+ : s) copyin(a[:n])
    for (int i = 0; i < n; ++i)
        s += a[i];
    return s;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *a = malloc(3 * n * sizeof *a);
    for (int i = 0; i < 3 * n; ++i)
        a[i] = 1.0f / (i + 1);
    scale(n, a);
    printf("%d %.9g %.9g\n", n, a[3 * n - 1], sum(3 * n, a));
    if (argc > 2)
        printf("%p\n", (void *)&argc);
    return n < 0;
}
