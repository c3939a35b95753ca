#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i % 10;
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = 2.0f * a[i] + 1.0f;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    printf("%.1f\n", sum);
    free(a);
    return n == 13;
}
