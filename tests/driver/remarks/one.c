#include <stdlib.h>

int main(void)
{
    int n = 100;
    double *a = malloc(n * sizeof *a);
#pragma acc data create(a[n])
    {
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] = i;
    }
    free(a);
    return 0;
}
