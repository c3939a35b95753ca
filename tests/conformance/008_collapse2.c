// collapse(2) over a rectangle whose sides are no multiples of anything.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define ROWS 37
#define COLUMNS 53

int main(void)
{
    static float a[ROWS][COLUMNS], b[COLUMNS][ROWS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = 100.0f * i + j;
#pragma acc parallel loop collapse(2) copyin(a) copyout(b)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            b[j][i] = a[i][j];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            check_near("b", j * ROWS + i, b[j][i], 100.0f * i + j, 0.0);
    return finish();
}
