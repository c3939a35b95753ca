#include <stdio.h>
#include <stdlib.h>

void scale(int n, float *a, float by);
double total(int n, const float *a);

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i % 10;
    scale(n, a, 2.0f);
    scale(n, a, 0.5f);
    printf("%.3f\n", total(n, a));
    free(a);
    return 0;
}
