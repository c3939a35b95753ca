#include <stdio.h>

int main(void)
{
    float x[100];
    for (int i = 0; i < 100; i++)
        x[i] = i;
#pragma acc parallel loop copy(x)
    for (int i = 0; i < 100; i++)
        x[i] *= 2;
    printf("%g\n", x[99]);
    return 0;
}
