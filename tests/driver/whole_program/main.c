#include "field.h"
#include <stdio.h>

static double shift(double x)
{
    return x - 1;
}

int main(void)
{
    static double a[90];
    static int n[90];
#pragma acc parallel loop copyout(a, n)
    for (int i = 0; i < 90; i++) {
        a[i] = field_at(i - 1, shift(i));
        n[i] = steps_to(i % 7);
    }
    double sum = 0;
    for (int i = 0; i < 90; i++)
        sum += a[i] * (i + 1) + n[i];
    printf("%.3f\n", sum);
    return sum != 556925.5;
}
