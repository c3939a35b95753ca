#include <stdio.h>
#include <stdlib.h>
enum { ROW = 128 };
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100, steps = 3, cells = n * ROW;
    float *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b);
    for (int i = 0; i < cells; i++)
        a[i] = b[i] = i % 17;
#pragma acc data copy(a[0:cells]) copyin(b[0:cells])
    for (int step = 0; step < steps; step++) {
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < ROW - 1; j++)
                b[i * ROW + j] = 0.25f * (a[(i - 1) * ROW + j] + a[(i + 1) * ROW + j] + a[i * ROW + j - 1] + a[i * ROW + j + 1]);
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < ROW - 1; j++)
                a[i * ROW + j] = b[i * ROW + j];
    }
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += a[i];
    printf("sum %.6g\n", sum);
}
