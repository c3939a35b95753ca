#include <stdio.h>
#include <stdlib.h>

enum { N = 96 };

static float first[N][N][N], other[N][N][N], turned[N][N][N];

/* Divided into two kernels, since the second loop along i writes along k and the first along i. */
static void both(int n)
{
#pragma acc parallel loop present(first, other, turned)
    for (int k = 1; k < n - 1; k++)
#pragma acc loop
        for (int j = 1; j < n - 1; j++) {
            for (int i = 0; i < n; i++)
                other[k][j][i] = 2.0f * first[k][j][i];
            for (int i = 1; i < n - 1; i++)
                turned[k][i][j] = other[k][j][i - 1] + other[k][j][i + 1];
        }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                first[k][j][i] = (float)(k + 2 * j + 3 * i);
#pragma acc data copyin(first) copyout(other, turned)
    both(n);
    double sum = 0.0;
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                sum += (k + 1) * turned[k][i][j] + other[k][j][i];
    printf("%.17g\n", sum);
    return 0;
}
