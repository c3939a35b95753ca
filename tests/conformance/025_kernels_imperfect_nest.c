// kernels around an imperfect nest: statements before, between and after the inner loops.
// expect: launches>=1 uploads=1 downloads>=2
#include "check.h"

#define ROWS 23
#define COLUMNS 61

int main(void)
{
    static float a[ROWS][COLUMNS], b[ROWS][COLUMNS];
    float rows[ROWS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = i + 0.5f * j;
#pragma acc kernels copyin(a) copyout(b, rows)
    for (int i = 0; i < ROWS; i++) {
        float first = a[i][0];
        for (int j = 0; j < COLUMNS; j++)
            b[i][j] = a[i][j] - first;
        float sum = 0.0f;
        for (int j = 0; j < COLUMNS; j++)
            sum += a[i][j];
        rows[i] = sum;
    }
    for (int i = 0; i < ROWS; i++) {
        float sum = 0.0f;
        for (int j = 0; j < COLUMNS; j++) {
            check_near("b", i * COLUMNS + j, b[i][j], 0.5f * j, 1e-6);
            sum += i + 0.5f * j;
        }
        check_near("rows", i, rows[i], sum, 1e-6);
    }
    return finish();
}
