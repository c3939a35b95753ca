// A kernel follows pointers in an array that no clause names: they would be addresses of the host.
// expect-exit: nonzero
// expect-stderr: error.ACCL0801.: a kernel follows pointers in rows, which is in no data clause and not present
// expect-stderr: help: put it on the device with what it points to: rows.0:n..0:m.
// expect: launches=0
// needs: separate
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int m = 31;
    float *rows[8];
    for (int i = 0; i < 8; i++)
        rows[i] = malloc(m * sizeof(float));
#pragma acc parallel loop
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < m; j++)
            rows[i][j] = 1;
    return finish();
}
