// A global pointer, mapped in one function and used in others without clauses.
// expect: launches=3 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static double *field;
static int length;

static void allocate(int n)
{
    length = n;
    field = calloc(n, sizeof *field);
#pragma acc enter data copyin(field[0:n])
}

static void add(double value)
{
#pragma acc parallel loop present(field[0:length])
    for (int i = 0; i < length; i++)
        field[i] += value * i;
}

int main(void)
{
    allocate(500);
    add(1.0);
    add(0.5);
#pragma acc kernels loop independent present(field[0:length])
    for (int i = 0; i < length; i++)
        field[i] = -field[i];
#pragma acc exit data copyout(field[0:length])
    for (int i = 0; i < length; i++)
        check_near("field", i, field[i], -1.5 * i, 0.0);
    free(field);
    return finish();
}
