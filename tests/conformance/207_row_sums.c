// A gang per row, its sum by a vector reduction into a variable of the gang, used after the loop.
// expect: launches=2 uploads=2 downloads=3
#include <stdlib.h>
#include "check.h"

static void row_sums(int rows, int columns, const float *restrict a, float *restrict sums)
{
#pragma acc parallel loop gang copyin(a[0:rows * columns]) copyout(sums[0:rows])
    for (int i = 0; i < rows; i++) {
        float sum = 1.0f;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < columns; j++)
            sum += a[i * columns + j];
        sums[i] = 2.0f * sum;
    }
}

static void row_extremes(int rows, int columns, const float *restrict a, float *restrict low,
                         float *restrict high)
{
    float least, most;
#pragma acc parallel loop gang private(least, most) copyin(a[0:rows * columns]) \
    copyout(low[0:rows], high[0:rows])
    for (int i = 0; i < rows; i++) {
        least = most = a[i * columns];
#pragma acc loop vector reduction(min : least) reduction(max : most)
        for (int j = 1; j < columns; j++) {
            least = fminf(least, a[i * columns + j]);
            most = fmaxf(most, a[i * columns + j]);
        }
        low[i] = least;
        high[i] = most;
    }
}

int main(void)
{
    int rows = 53, columns = 211;
    float *a = malloc(rows * columns * sizeof *a);
    float *sums = malloc(rows * sizeof *sums), *low = malloc(rows * sizeof *low);
    float *high = malloc(rows * sizeof *high);
    for (int i = 0; i < rows * columns; i++)
        a[i] = (i * 13) % 37 - 5;
    row_sums(rows, columns, a, sums);
    row_extremes(rows, columns, a, low, high);
    for (int i = 0; i < rows; i++) {
        float sum = 1.0f, least = a[i * columns], most = a[i * columns];
        for (int j = 0; j < columns; j++) {
            sum += a[i * columns + j];
            least = fminf(least, a[i * columns + j]);
            most = fmaxf(most, a[i * columns + j]);
        }
        check_near("sums", i, sums[i], 2.0f * sum, 1e-6);
        check_near("low", i, low[i], least, 0.0);
        check_near("high", i, high[i], most, 0.0);
    }
    free(a);
    free(sums);
    free(low);
    free(high);
    return finish();
}
