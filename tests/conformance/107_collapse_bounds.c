// collapse over loops with lower bounds, steps, <= and falling indices of different types.
// expect: launches=2 uploads=2 downloads=2
#include <stdlib.h>
#include "check.h"

static void run(int rows, int columns, int *a)
{
#pragma acc parallel loop collapse(2) copy(a[0:rows * columns])
    for (int i = 2; i <= rows - 2; i += 3)
        for (long j = columns - 1; j >= 1; j -= 2)
            a[i * columns + j] += 1000;
#pragma acc parallel loop collapse(2) copy(a[0:rows * columns])
    for (unsigned i = 1; i < (unsigned)rows; i++)
        for (short j = 0; j < 5; j++)
            a[i * columns + j] += 7;
}

int main(void)
{
    int rows = 26, columns = 33;
    int *a = calloc(rows * columns, sizeof *a), *want = calloc(rows * columns, sizeof *want);
    run(rows, columns, a);
    for (int i = 2; i <= rows - 2; i += 3)
        for (int j = columns - 1; j >= 1; j -= 2)
            want[i * columns + j] += 1000;
    for (int i = 1; i < rows; i++)
        for (int j = 0; j < 5; j++)
            want[i * columns + j] += 7;
    for (int i = 0; i < rows * columns; i++)
        check_int("a", i, a[i], want[i]);
    free(a);
    free(want);
    return finish();
}
