#include "scale.h"

void scale(int n, float factor, float *a)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] *= factor;
}
