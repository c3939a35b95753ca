#include <stdio.h>
void show(int n, const int *x)
{
#pragma acc parallel loop copyin(x[0:n])
    for (int i = 0; i < n; i++)
        printf("%d\n", x[i]);
}
