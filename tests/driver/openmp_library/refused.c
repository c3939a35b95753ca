/* The host's compiler takes no `critical` in a `simd` loop, so its threads cannot run the construct. */
#include <stdio.h>

int main(int argc, char **argv)
{
    int a[100];
    (void)argv;
#pragma omp target if (argc > 5) map(from : a)
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
#pragma omp simd
        for (int j = 0; j < 1; j++) {
#pragma omp critical
            a[i] = i;
        }
    }
    printf("%d\n", a[5]);
    return a[5] != 5;
}
