#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100, steps = 3;
    size_t cells = (size_t)n * n;
    float *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b);
    for (size_t i = 0; i < cells; i++)
        a[i] = b[i] = i % 17;
#pragma acc data copy(a[0:cells]) copyin(b[0:cells])
    for (int step = 0; step < steps; step++) {
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.25f * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
    }
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += a[i];
    printf("sum %.6g\n", sum);
}
