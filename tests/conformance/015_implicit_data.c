// No data clause: arrays are copied both ways, scalars are firstprivate.
// expect: launches=1 uploads>=1 downloads=1
#include "check.h"

#define N 401

int main(void)
{
    float x[N], y[N], factor = 1.5f;
    int shift = 2;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = -i;
    }
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        if (i != 7)
            y[i] = factor * x[i] + shift;
    for (int i = 0; i < N; i++)
        check_near("y", i, y[i], i == 7 ? -7.0f : 1.5f * i + 2, 1e-6);
    return finish();
}
