// A matrix of row pointers: the rows are mapped one by one, the pointer array is attached to them.
// expect: launches=1 uploads>=9 downloads=8
#include <stdlib.h>
#include "check.h"

#define ROWS 8

int main(void)
{
    int columns = 31;
    float *row[ROWS];
    for (int i = 0; i < ROWS; i++) {
        row[i] = malloc(columns * sizeof(float));
        for (int j = 0; j < columns; j++)
            row[i][j] = i + j;
    }
#pragma acc enter data copyin(row)
    for (int i = 0; i < ROWS; i++) {
        float *r = row[i];
#pragma acc enter data copyin(r[0:columns])
#pragma acc enter data attach(row[i])
    }
#pragma acc parallel loop collapse(2) present(row)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < columns; j++)
            row[i][j] *= 2.0f;
    for (int i = 0; i < ROWS; i++) {
        float *r = row[i];
#pragma acc exit data detach(row[i])
#pragma acc exit data copyout(r[0:columns])
    }
#pragma acc exit data delete (row)
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < columns; j++)
            check_near("row", i * columns + j, row[i][j], 2.0f * (i + j), 0.0);
        free(row[i]);
    }
    return finish();
}
