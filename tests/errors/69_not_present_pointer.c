// run
// env: ACC_DEVICE_TYPE=cpu
#include <stdlib.h>

static void fill(int n, double *w)
{
#pragma acc parallel loop present(w)
    for (int i = 0; i < n; i++)
        w[i] = i;
}

int main(void)
{
    double *w = malloc(100 * sizeof *w);
    fill(100, w);
    return w[3] != 3;
}
