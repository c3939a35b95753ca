#include "scale.h"

int count(int n, const float *a, float wanted)
{
    int found = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : found)
    for (int i = 0; i < n; i++)
        found += a[i] == wanted;
    return found;
}
