// gang over rows, vector over columns, code of the gang between.
// expect: launches=1 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static void run(int rows, int columns, const float *restrict a, float *restrict b)
{
#pragma acc parallel loop gang copyin(a[0:rows * columns]) copyout(b[0:rows * columns])
    for (int i = 0; i < rows; i++) {
        float factor = 1.0f + i % 4;
        int row = i * columns;
#pragma acc loop vector
        for (int j = 0; j < columns; j++)
            b[row + j] = factor * a[row + j];
    }
}

int main(void)
{
    int rows = 45, columns = 301;
    float *a = malloc(rows * columns * sizeof *a), *b = malloc(rows * columns * sizeof *b);
    for (int i = 0; i < rows * columns; i++)
        a[i] = i % 1000;
    run(rows, columns, a, b);
    for (int i = 0; i < rows * columns; i++)
        check_near("b", i, b[i], (1.0f + i / columns % 4) * (i % 1000), 0.0);
    free(a);
    free(b);
    return finish();
}
