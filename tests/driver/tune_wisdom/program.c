#include <stdio.h>
#include <stdlib.h>

static void scale(int n, float *a)
{
#pragma acc parallel loop present(a[:n])
    for (int i = 0; i < n; ++i)
        a[i] = 2.0f * a[i] + 1.0f;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; ++i)
        a[i] = 1.0f / (i + 1);
#pragma acc data copy(a[:n])
    {
        scale(n, a);
        scale(n / 16, a);
    }
    printf("%d %.9g %.9g\n", n, a[0], a[n - 1]);
    free(a);
    return 0;
}
