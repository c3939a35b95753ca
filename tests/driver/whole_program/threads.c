#include <stdio.h>

double plain(double x);

int main(void)
{
    static double a[50];
#pragma omp parallel for
    for (int i = 0; i < 50; i++)
        a[i] = plain(i);
    printf("%g\n", a[49]);
    return a[49] != 98;
}
