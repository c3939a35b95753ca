// `update` of a pointer that `declare` names is about the pointer alone: the device's stays what it was attached to.
// expect: launches=2 uploads=1 downloads=1
#include "check.h"
#include <stdlib.h>

#define N 100

static double *values;
#pragma acc declare create(values)

#pragma acc routine seq
static double twice(int i) { return 2 * values[i]; }

int main(void)
{
    values = malloc(N * sizeof(double));
    for (int i = 0; i < N; i++)
        values[i] = i;
#pragma acc enter data copyin(values[0:N])
#pragma acc update device(values)
#pragma acc parallel loop present(values)
    for (int i = 0; i < N; i++)
        values[i] = twice(i);
#pragma acc update device(values) async(1)
#pragma acc parallel loop present(values) async(1)
    for (int i = 0; i < N; i++)
        values[i] += 1;
#pragma acc wait
#pragma acc exit data copyout(values[0:N])
    for (int i = 0; i < N; i++)
        check_near("value", i, values[i], 2 * i + 1, 1e-12);
    return finish();
}
